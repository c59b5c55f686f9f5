import { useEffect, useRef } from 'preact/hooks';
import { Focus, graphOf, listingOf, trans } from '../model';
import type { Session } from '../store';
import type { Actions } from './actions';
import { useAsking } from './asking';

/**
 * Asks the kernel for the picture of a trace that the recording has none of: only those of the newest traces are kept.
 *
 * @returns words for where the picture should be; empty where nothing is missing.
 */
export function useOlderPicture(
  session: Session,
  { trace }: Focus,
  actions: Actions
): string {
  const { busy, words, ask } = useAsking();
  const asked = useRef('');
  const id = trace?.id ?? '';
  const missing =
    trace !== null &&
    trace.jaxpr !== null &&
    trace.status !== 'running' &&
    session.selection.trace === id &&
    !graphOf(session, id) &&
    !listingOf(session, id);
  const open = session.cutOff ? null : actions.openPicture;
  useEffect(() => {
    if (missing && open && asked.current !== id) {
      asked.current = id;
      ask(signal => open(session.id, id, signal));
    }
  });
  if (!missing) {
    return '';
  }
  if (!open) {
    return trans.__(
      'The notebook keeps the pictures of the newest traces. That of this one needs the kernel that recorded it.'
    );
  }
  return busy ? trans.__('Asking the kernel for this trace…') : words;
}
