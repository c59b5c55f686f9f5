import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import {
  Focus,
  LineNames,
  SourceSection,
  lineNames,
  sourceSections,
  trans
} from '../../model';
import { Session, lightsPlace } from '../../store';
import { Empty } from '../empty';
import { withGutter } from '../gutter';
import { useReveal } from '../reveal';
import { Roving, useRoving } from '../roving';
import { Line } from './line';

interface Props {
  readonly session: Session;
  readonly focus: Focus;
}

/** The user's own source: the function that is shown, and below it those that its trace went through. */
export function Source({ session, focus }: Props): JSX.Element {
  const { recording, selection } = session;
  const { function: fn, trace } = focus;
  const sections = useMemo(
    () => (fn ? sourceSections(recording, fn, trace) : []),
    [recording, fn, trace]
  );
  const names = lineNames(recording);
  const gutter = useMemo(
    () =>
      withGutter(
        sections.flatMap(({ lines }) => lines.map(({ place }) => place)),
        names
      ),
    [sections, names]
  );
  const view = useReveal(selection.pinned);
  const count = sections.reduce((sum, { lines }) => sum + lines.length, 0);
  const roving = useRoving(count, 'ArrowUp', 'ArrowDown');
  if (!fn || count === 0) {
    return (
      <Empty
        words={trans.__('The source of this function is not available.')}
      />
    );
  }
  let first = 0;
  return (
    <div
      ref={view}
      class="jtv-code jtv-source"
      style={gutter}
      role="listbox"
      aria-label={trans.__('Source of %1', fn.name)}
      data-lm-suppress-shortcuts="true"
      onKeyDown={roving.onKeyDown}
      onMouseLeave={() => selection.hover(null)}
    >
      {sections.map(section => {
        const at = first;
        first += section.lines.length;
        return (
          <Section
            key={section.fn.id}
            section={section}
            names={names}
            session={session}
            trace={trace?.id ?? null}
            first={at}
            roving={roving}
          />
        );
      })}
    </div>
  );
}

interface SectionProps {
  readonly section: SourceSection;
  readonly names: LineNames;
  readonly session: Session;
  readonly trace: string | null;
  /** The number of its first line among those of all sections. */
  readonly first: number;
  readonly roving: Roving;
}

function Section(props: SectionProps): JSX.Element {
  const { section, names, session, trace, first, roving } = props;
  const { selection } = session;
  return (
    <div class="jtv-source-section" role="group" aria-label={section.fn.name}>
      {section.lines.map((line, i) => (
        <Line
          key={line.place.line}
          line={line}
          names={names}
          expressions={section.expressions}
          indent={section.indent}
          trace={trace}
          selection={selection}
          lit={lightsPlace(selection.target, line.place)}
          pinned={lightsPlace(selection.pinned, line.place)}
          stop={first + i === roving.active}
          nodeRef={roving.itemRef(first + i)}
        />
      ))}
    </div>
  );
}
