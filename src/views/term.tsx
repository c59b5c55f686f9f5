import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { meaningOf } from '../model';

let terms = 0;

/** What brings up the meaning of a word, and where it is said. */
export interface Explanation {
  /** For the element that holds the word. */
  readonly attributes: {
    readonly onMouseEnter: () => void;
    readonly onMouseLeave: () => void;
    readonly onFocus: () => void;
    readonly onBlur: () => void;
    readonly 'aria-describedby': string | undefined;
  };
  /** To stand inside an element of the class `jtv-term`. */
  readonly meaning: JSX.Element | null;
}

/** Explains a word of the glossary as long as the pointer or the focus is on it. */
export function useExplanation(word: string): Explanation {
  const [id] = useState(() => `jtv-term-${(terms += 1)}`);
  const [shown, setShown] = useState(false);
  const meaning = meaningOf(word);
  const [show, hide] = [() => setShown(true), () => setShown(false)];
  const visible = shown && meaning !== '';
  return {
    attributes: {
      onMouseEnter: show,
      onMouseLeave: hide,
      onFocus: show,
      onBlur: hide,
      'aria-describedby': visible ? id : undefined
    },
    meaning: visible ? (
      <span id={id} role="tooltip" class="jtv-term-meaning">
        {meaning}
      </span>
    ) : null
  };
}

/** A word of ours with its meaning. */
export function Term(props: {
  /** As the glossary has it. */
  word: string;
  children: ComponentChildren;
}): JSX.Element {
  const { attributes, meaning } = useExplanation(props.word);
  return (
    <span class="jtv-term" tabIndex={0} {...attributes}>
      <span class="jtv-term-word">{props.children}</span>
      {meaning}
    </span>
  );
}
