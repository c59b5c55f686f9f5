import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { GLOSSARY, KEYS, LEGEND } from '../../model';
import { Glyph } from '../glyph';
import { useWords } from './words';

/** Keys, signs and words, where one looks for them. Esc closes it. */
export function Help({ close }: { close: () => void }): JSX.Element {
  const words = useWords();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
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
      <h3>{words.wordsTitle}</h3>
      <dl class="jtv-help-words">
        {GLOSSARY.map(({ word, meaning }) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
