import type { Extension } from '@codemirror/state';
import { EditorView, ViewPlugin } from '@codemirror/view';
import type { Unsubscribe } from '../../../store';
import { Painter } from '../../../views/painter';

interface Source {
  subscribe(look: () => void): Unsubscribe;
}

interface Options {
  /** Tells what the kernel sends, which may be many times a second. */
  readonly stream: Source;
  /** Tell what the user does. */
  readonly signals: readonly Source[];
  /** What an editor shows depends on; other parts mean another look. */
  readonly stamp: (view: EditorView) => readonly unknown[];
  readonly redraw: (view: EditorView) => void;
}

/** At most this often an editor is redrawn by a stream, in milliseconds: that takes longer than to paint all of a panel. */
const INTERVAL = 300;

/** Redraws an editor when something changed that concerns it, at most once a frame: there may be hundreds of editors. */
export function follower(options: Options): Extension {
  const { stream, signals, stamp, redraw } = options;
  return ViewPlugin.define(view => {
    let seen = stamp(view);
    const painter = new Painter(() => {
      seen = stamp(view);
      redraw(view);
    }, INTERVAL);
    const isOld = (): boolean => {
      const now = stamp(view);
      return (
        now.length !== seen.length || now.some((part, i) => part !== seen[i])
      );
    };
    const subscriptions = [
      stream.subscribe(() => isOld() && painter.request()),
      ...signals.map(one => one.subscribe(() => isOld() && painter.now()))
    ];
    return {
      destroy: () => {
        painter.dispose();
        subscriptions.forEach(unsubscribe => unsubscribe());
      }
    };
  });
}
