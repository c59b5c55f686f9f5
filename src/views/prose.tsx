import type { JSX } from 'preact';

/** A sentence in which names from the program stand between backticks. */
export function Prose({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text
        .split('`')
        .map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}
    </>
  );
}
