import type { Session } from '../../store';
import { trans } from './language';

/** `cell [5] · 10:42:07`, to tell one recording from others. */
export function titleOf({ recording }: Session): string {
  const { cell, started_at: startedAt } = recording.newest;
  const time = new Date(1000 * startedAt).toLocaleTimeString();
  return cell.execution_count === null
    ? time
    : trans.__('cell [%1] · %2', cell.execution_count, time);
}

/** `cell [5]`, where the time goes without saying. */
export function shortTitle(session: Session): string {
  const count = session.recording.newest.cell.execution_count;
  return count === null ? titleOf(session) : trans.__('cell [%1]', count);
}
