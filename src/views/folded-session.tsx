import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { trans } from '../model';
import type { Session } from '../store';
import type { Actions } from './actions';
import { FoldButton } from './fold-button';
import { SessionView } from './session-view';
import { Verdict } from './verdict';

/** A session as one line, for cells that were recorded without having been asked to; it opens on demand. */
export function FoldedSession(props: {
  session: Session;
  actions: Actions;
}): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <div class="jtv-folded" data-open={open}>
      <FoldButton open={open} turn={() => setOpen(!open)}>
        {open ? trans.__('Hide trace') : trans.__('Show trace')}
      </FoldButton>
      {open ? <SessionView {...props} /> : <Verdict session={props.session} />}
    </div>
  );
}
