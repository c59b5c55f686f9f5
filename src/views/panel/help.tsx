import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import {
  GLOSSARY,
  KEYS,
  LEGEND,
  SPAN_KINDS,
  phaseWord,
  trans
} from '../../model';
import { Glyph } from '../glyph';
import { canHaveFocus, focusedBeside } from '../keep-focus';

/** A word that was asked for; another object when it is asked for again. */
export interface Asked {
  readonly word: string;
}

interface Props {
  /** What to begin with; null for the beginning. */
  readonly asked: Asked | null;
  readonly close: () => void;
}

/** Keys, signs and words, where one looks for them. Esc closes it. */
export function Help({ asked, close }: Props): JSX.Element {
  const section = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const found = useRef<HTMLElement>(null);
  useReturn(section);
  useLayoutEffect(() => {
    // The browser scrolls to what it focuses.
    (found.current ?? button.current)?.focus();
  }, [asked]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    }
  };
  return (
    <section
      ref={section}
      class="jtv-help"
      aria-label={trans.__('Keys, signs and words (?)')}
      onKeyDown={onKeyDown}
    >
      <button
        ref={button}
        type="button"
        class="jtv-button jtv-help-close"
        onClick={close}
      >
        {trans.__('Close help')}
      </button>
      <Signs />
      <Keys />
      <h3>{trans.__('Words')}</h3>
      <dl class="jtv-help-words">
        {GLOSSARY.map(({ word, said, meaning }) => (
          <div key={word}>
            <dt ref={word === asked?.word ? found : null} tabIndex={-1}>
              {said()}
            </dt>
            <dd>{meaning()}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The keyboard goes on where it was when the help was opened. */
function useReturn(section: RefObject<HTMLElement>): void {
  useLayoutEffect(() => {
    const help = section.current;
    const opener = help && focusedBeside(help);
    return () => {
      const isHere = help?.contains(focusedBeside(help)) ?? false;
      if (isHere && opener && canHaveFocus(opener)) {
        opener.focus();
      }
    };
  }, [section]);
}

function Signs(): JSX.Element {
  return (
    <>
      <h3>{trans.__('Signs')}</h3>
      <ul class="jtv-help-signs">
        {LEGEND.map(sign => (
          <li key={sign.glyph}>
            <Glyph sign={sign} silent /> {sign.word}
          </li>
        ))}
        {SPAN_KINDS.map(kind => (
          <li key={kind}>
            <span class={`jtv-swatch jtv-span-${kind}`} /> {phaseWord(kind)}
          </li>
        ))}
      </ul>
    </>
  );
}

function Keys(): JSX.Element {
  return (
    <>
      {KEYS.map(({ where, keys }, i) => (
        <div key={i}>
          <h3>{where()}</h3>
          <dl class="jtv-help-keys">
            {keys.map(([key, what]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{what()}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </>
  );
}
