import { useEffect, useRef, useState } from 'preact/hooks';
import { errorWords, trans } from '../model';

export interface Asking {
  readonly busy: boolean;
  /** What went wrong with the last request, for the user. */
  readonly words: string;
  readonly say: (words: string) => void;
  /** The signal says when the answer is of no interest any more. */
  readonly ask: (request: (signal: AbortSignal) => Promise<void>) => void;
  /** Stops waiting, and tells who is asked: the kernel stops its work where it can be told. */
  readonly cancel: () => void;
}

/** Asks the kernel for something, and says how that goes. */
export function useAsking(): Asking {
  const [busy, setBusy] = useState(false);
  const [words, setWords] = useState('');
  const last = useRef(new AbortController());
  const ask: Asking['ask'] = request => {
    last.current.abort();
    const own = (last.current = new AbortController());
    const done = (said: string): void => {
      // What was asked for earlier is of no interest any more.
      if (own === last.current) {
        setBusy(false);
        setWords(said);
      }
    };
    setBusy(true);
    setWords('');
    request(own.signal).then(
      () => done(''),
      (reason: unknown) => done(errorWords(reason))
    );
  };
  const cancel = (): void => {
    last.current.abort();
    last.current = new AbortController();
    setBusy(false);
    setWords(trans.__('Cancelled.'));
  };
  return { busy, words, say: setWords, ask, cancel };
}

/** What takes longer than this, in milliseconds, shows that it goes on. */
const PATIENCE = 300;

/** Whether something has been going on for so long that one wants to know. */
export function useSlow(busy: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const timer = busy ? setTimeout(() => setSlow(true), PATIENCE) : undefined;
    return () => clearTimeout(timer);
  }, [busy]);
  return slow && busy;
}
