import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { trans } from '../model';

/** How long it is said that something was copied, in milliseconds. */
const SAID = 2000;

/** Puts a text on the clipboard, and says whether that worked. */
export function CopyButton(props: {
  label: string;
  text: () => string;
}): JSX.Element {
  const [said, setSaid] = useState('');
  const say = (words: string): void => {
    setSaid(words);
    setTimeout(() => setSaid(''), SAID);
  };
  const copy = (): void => {
    write(props.text()).then(
      () => say(trans.__('Copied')),
      () => say(trans.__('The browser did not let us copy'))
    );
  };
  return (
    <span class="jtv-copy">
      <span class="jtv-note" role="status">
        {said}
      </span>
      <button type="button" class="jtv-button" onClick={copy}>
        {props.label}
      </button>
    </span>
  );
}

async function write(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) {
    throw new Error(
      trans.__('no clipboard: the page came over a plain connection')
    );
  }
  await clipboard.writeText(text);
}
