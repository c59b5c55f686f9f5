import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useArranged } from './arranged';

interface Props {
  /** By which its state is kept. */
  readonly name: string;
  readonly title: string;
  /** What it comes to, also where it is folded. */
  readonly note?: string;
  readonly children: () => JSX.Element | null;
}

let sections = 0;

/** A part of the panel that can be folded, and stays so. */
export function Section({ name, title, note, children }: Props): JSX.Element {
  const arranged = useArranged();
  const [id] = useState(() => `jtv-section-${(sections += 1)}`);
  const open = arranged?.isOpen(name) ?? true;
  return (
    <section class="jtv-fold" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>
        <button
          type="button"
          class="jtv-fold-title"
          aria-expanded={open}
          aria-controls={`${id}-body`}
          onClick={() => arranged?.toggle(name)}
        >
          <span aria-hidden="true">{open ? '▾' : '▸'}</span> {title}
          {note ? <span class="jtv-fold-note">{note}</span> : null}
        </button>
      </h3>
      <div id={`${id}-body`} class="jtv-fold-body" hidden={!open}>
        {open ? children() : null}
      </div>
    </section>
  );
}
