import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { trans } from '../model';

export interface Tab {
  readonly name: string;
  /** The name in the language of the user. */
  readonly label: string;
  readonly content: () => JSX.Element;
}

interface Props {
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly select: (name: string) => void;
  /** Unique in the page. */
  readonly id: string;
}

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1
};

/** Tabs as the ARIA practices have them: one stop in the tab order, arrows move and select. */
export function Tabs(props: Props): JSX.Element {
  const { tabs, selected, select, id } = props;
  const list = useRef<HTMLDivElement>(null);
  const at = Math.max(
    0,
    tabs.findIndex(tab => tab.name === selected)
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = STEPS[event.key]?.(at, tabs.length) ?? -1;
    const tab = tabs[next];
    if (tab) {
      event.preventDefault();
      select(tab.name);
      list.current?.querySelectorAll('button')[next]?.focus();
    }
  };
  return (
    <>
      <div
        ref={list}
        class="jtv-tabs"
        role="tablist"
        aria-label={trans.__('Views')}
        data-lm-suppress-shortcuts="true"
        onKeyDown={onKeyDown}
      >
        {tabs.map(({ name, label }, i) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${i}`}
            aria-selected={i === at}
            aria-controls={`${id}-panel`}
            tabIndex={i === at ? 0 : -1}
            onClick={() => select(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <div
        key={selected}
        class="jtv-tabpanel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-tab-${at}`}
      >
        {tabs[at]?.content()}
      </div>
    </>
  );
}
