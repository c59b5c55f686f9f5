import { useRef, useState } from 'preact/hooks';

export interface Asking {
  readonly busy: boolean;
  /** What went wrong with the last request, for the user. */
  readonly words: string;
  readonly say: (words: string) => void;
  readonly ask: (request: () => Promise<void>) => void;
}

/** Asks the kernel for something, and says how that goes. */
export function useAsking(): Asking {
  const [busy, setBusy] = useState(false);
  const [words, setWords] = useState('');
  const last = useRef(0);
  const ask = (request: () => Promise<void>): void => {
    const own = (last.current += 1);
    const done = (said: string): void => {
      // What was asked for earlier is of no interest any more.
      if (own === last.current) {
        setBusy(false);
        setWords(said);
      }
    };
    setBusy(true);
    setWords('');
    request().then(
      () => done(''),
      (reason: unknown) =>
        done(reason instanceof Error ? reason.message : String(reason))
    );
  };
  return { busy, words, say: setWords, ask };
}
