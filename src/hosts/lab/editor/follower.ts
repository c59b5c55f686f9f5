import type { Extension } from '@codemirror/state';
import { EditorView, ViewPlugin } from '@codemirror/view';
import type { Unsubscribe } from '../../../store';

interface Options {
  /** Tell that something may have changed. */
  readonly signals: readonly { subscribe(look: () => void): Unsubscribe }[];
  /** What an editor shows depends on; other parts mean another look. */
  readonly stamp: (view: EditorView) => readonly unknown[];
  readonly redraw: (view: EditorView) => void;
}

/** Redraws an editor when something changed that concerns it, at most once a frame: there may be hundreds of editors. */
export function follower({ signals, stamp, redraw }: Options): Extension {
  return ViewPlugin.define(view => {
    let frame = 0;
    let seen = stamp(view);
    const look = (): void => {
      const now = stamp(view);
      const same =
        now.length === seen.length && now.every((part, i) => part === seen[i]);
      if (!same) {
        frame ||= requestAnimationFrame(() => {
          frame = 0;
          seen = stamp(view);
          redraw(view);
        });
      }
    };
    const subscriptions = signals.map(signal => signal.subscribe(look));
    return {
      destroy: () => {
        cancelAnimationFrame(frame);
        subscriptions.forEach(unsubscribe => unsubscribe());
      }
    };
  });
}
