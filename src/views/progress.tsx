import type { JSX } from 'preact';
import { trans } from '../model';
import { Asking, useSlow } from './asking';

/** What goes on, once it takes long, with a button that stops waiting for it; else what went wrong. */
export function Progress(props: {
  asking: Pick<Asking, 'busy' | 'words' | 'cancel'>;
  /** What goes on: `Drawing…`. */
  doing: string;
  /** What to say when there is nothing else. */
  otherwise?: string;
}): JSX.Element {
  const { asking, doing, otherwise = '' } = props;
  const slow = useSlow(asking.busy);
  return (
    <p class="jtv-note jtv-progress" role="status">
      {slow ? (
        <>
          <progress aria-label={doing} /> {doing}{' '}
          <button type="button" class="jtv-button" onClick={asking.cancel}>
            {trans.__('Cancel')}
          </button>
        </>
      ) : (
        asking.words || otherwise
      )}
    </p>
  );
}
