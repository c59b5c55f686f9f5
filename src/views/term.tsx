import { ComponentChildren, HTMLAttributes, JSX, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { meaningOf, trans } from '../model';
import { focusedBeside } from './keep-focus';

/** Shows a word among all others, where the view has a place for them. */
export const OpenWord = createContext<((word: string) => void) | null>(null);

let terms = 0;

/** What brings up the meaning of a word, and where it is said. */
export interface Explanation {
  /** For the element of the class `jtv-term` around the word and its meaning. */
  readonly around: Pick<
    HTMLAttributes<HTMLElement>,
    'onMouseEnter' | 'onMouseLeave' | 'onFocusIn' | 'onFocusOut' | 'onKeyDown'
  >;
  /** For the element that can have the focus. */
  readonly describedBy: string | undefined;
  readonly meaning: JSX.Element | null;
}

/** Explains a word of the glossary as long as the pointer or the focus is on it or on its meaning. */
export function useExplanation(word: string): Explanation {
  const [id] = useState(() => `jtv-term-${(terms += 1)}`);
  const [shown, setShown] = useState(false);
  const visible = shown && meaningOf(word) !== '';
  const show = (): void => setShown(true);
  const hide = (): void => setShown(false);
  return {
    around: {
      onMouseEnter: show,
      onMouseLeave: hide,
      onFocusIn: show,
      onFocusOut: event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) {
          hide();
        }
      },
      onKeyDown: event => {
        if (event.key === 'Escape' && visible) {
          event.stopPropagation();
          focusWord(event.currentTarget);
          hide();
        }
      }
    },
    describedBy: visible ? id : undefined,
    meaning: visible ? <Meaning id={id} word={word} leave={hide} /> : null
  };
}

/** Whoever was on the meaning goes on from its word, when the meaning goes. */
function focusWord(term: Element | null): void {
  if (term?.contains(focusedBeside(term))) {
    term.querySelector<HTMLElement>('[aria-describedby]')?.focus();
  }
}

function Meaning(props: {
  id: string;
  word: string;
  leave: () => void;
}): JSX.Element {
  const { id, word, leave } = props;
  const open = useContext(OpenWord);
  const more = (event: MouseEvent): void => {
    event.stopPropagation();
    focusWord((event.currentTarget as Element).closest('.jtv-term'));
    leave();
    open?.(word);
  };
  return (
    <span class="jtv-term-meaning">
      <span id={id} role="tooltip">
        {meaningOf(word)}
      </span>
      {open ? (
        <button type="button" class="jtv-link" onClick={more}>
          {trans.__('All words')}
        </button>
      ) : null}
    </span>
  );
}

/** A word of ours with its meaning. */
export function Term(props: {
  /** As the glossary has it. */
  word: string;
  children: ComponentChildren;
}): JSX.Element {
  const { around, describedBy, meaning } = useExplanation(props.word);
  return (
    <span class="jtv-term" {...around}>
      <span class="jtv-term-word" tabIndex={0} aria-describedby={describedBy}>
        {props.children}
      </span>
      {meaning}
    </span>
  );
}
