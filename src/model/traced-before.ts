import type { FunctionRecord } from '../protocol';
import { Session, isSameCode } from '../store';

/** Where functions were traced that a later session only called. */
export interface TracedBefore {
  readonly session: Session;
  /** As they were recorded there. */
  readonly functions: readonly FunctionRecord[];
}

/** The newest earlier session that traced what a session only called; null if that one traced too, or it is not known. */
export function tracedBefore(
  session: Session,
  all: readonly Session[]
): TracedBefore | null {
  const { newest } = session.recording;
  const called = ownFunctions(session).filter(fn => fn.calls > 0);
  if (newest.state === 'running' || called.some(fn => fn.traces > 0)) {
    return null;
  }
  const own = all.findIndex(({ id }) => id === session.id);
  for (const before of all.slice(0, Math.max(0, own)).reverse()) {
    const traced = ownFunctions(before).filter(
      fn => fn.traces > 0 && called.some(other => isSameCode(fn, other))
    );
    if (traced.length > 0) {
      return { session: before, functions: traced };
    }
  }
  return null;
}

/** The user's own: those of libraries come and go with what is called. */
function ownFunctions({ recording }: Session): FunctionRecord[] {
  return recording.functions.records.filter(fn => fn.origin === 'user');
}
