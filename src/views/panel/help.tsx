import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { GLOSSARY, KEYS, LEGEND } from '../../model';
import { Glyph } from '../glyph';
import { useWords } from './words';

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
  const words = useWords();
  const button = useRef<HTMLButtonElement>(null);
  const found = useRef<HTMLElement>(null);
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
    <section class="jtv-help" aria-label={words.help} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class="jtv-button jtv-help-close"
        onClick={close}
      >
        {words.closeHelp}
      </button>
      <Signs />
      <Keys />
      <h3>{words.wordsTitle}</h3>
      <dl class="jtv-help-words">
        {GLOSSARY.map(({ word, meaning }) => (
          <div key={word}>
            <dt ref={word === asked?.word ? found : null} tabIndex={-1}>
              {word}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Signs(): JSX.Element {
  const words = useWords();
  return (
    <>
      <h3>{words.signs}</h3>
      <ul class="jtv-help-signs">
        {LEGEND.map(sign => (
          <li key={sign.word}>
            <Glyph sign={sign} silent /> {sign.word}
          </li>
        ))}
        {(['trace', 'lower', 'compile'] as const).map(kind => (
          <li key={kind}>
            <span class={`jtv-swatch jtv-span-${kind}`} /> {kind}
          </li>
        ))}
      </ul>
    </>
  );
}

function Keys(): JSX.Element {
  return (
    <>
      {KEYS.map(({ where, keys }) => (
        <div key={where}>
          <h3>{where}</h3>
          <dl class="jtv-help-keys">
            {keys.map(([key, what]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </>
  );
}
