import type { Recording, Session } from '../store';

/** What is worked out of a recording, once: views ask again with every frame. A recording never changes. */
export function oncePerRecording<T>(
  make: (recording: Recording) => T
): (recording: Recording) => T {
  const known = new WeakMap<Recording, { made: T }>();
  return recording => {
    const entry = known.get(recording) ?? { made: make(recording) };
    known.set(recording, entry);
    return entry.made;
  };
}

/** The same of a recording and one of its files: cells ask again with every change of the selection. */
export function oncePerFile<T>(
  make: (session: Session, file: string) => T
): (session: Session, file: string) => T {
  const filesOf = oncePerRecording(() => new Map<string, { made: T }>());
  return (session, file) => {
    const files = filesOf(session.recording);
    const entry = files.get(file) ?? { made: make(session, file) };
    files.set(file, entry);
    return entry.made;
  };
}
