import type { JSX } from 'preact';

/** A number and its unit, which stay on one line. */
const MEASURE = /(\d) (?=(?:[mµ]?s|[kMG]?B)\b)/g;

/** A sentence in which names from the program stand between backticks. */
export function Prose({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text
        .split('`')
        .map((part, i) =>
          i % 2 === 1 ? (
            <code key={i}>{part}</code>
          ) : (
            part.replace(MEASURE, '$1\u00a0')
          )
        )}
    </>
  );
}
