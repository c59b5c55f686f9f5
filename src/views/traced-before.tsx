import type { JSX } from 'preact';
import { shortTitle, tracedBefore, trans } from '../model';
import type { Session } from '../store';
import type { Actions } from './actions';
import { useOthers } from './others';

/** Says of a recording in which nothing was traced where that had happened, and leads there. */
export function TracedBefore(props: {
  session: Session;
  actions: Actions;
}): JSX.Element | null {
  const { session, actions } = props;
  const others = useOthers(actions);
  const before = others && tracedBefore(session, others.all);
  const [first] = before?.functions ?? [];
  if (!before || !first) {
    return null;
  }
  const names = before.functions.map(({ name }) => name).join(', ');
  const where = shortTitle(before.session);
  return (
    <p class="jtv-note">
      {before.functions.length > 1
        ? trans.__('%1 were last traced in %2.', names, where)
        : trans.__('%1 was last traced in %2.', names, where)}{' '}
      <button
        type="button"
        class="jtv-link"
        onClick={() => others.show(before.session, first.id, null)}
      >
        {trans.__('Show that recording')}
      </button>
    </p>
  );
}
