import type { ComponentChildren, JSX } from 'preact';
import {
  BAKED_IN,
  Focus,
  argumentTarget,
  counted,
  formatBytes,
  lineNames,
  roleSign,
  trans
} from '../model';
import type { Argument, Constant, Trace } from '../protocol';
import { Selection, Session, Target, sameTarget } from '../store';
import type { Actions } from './actions';
import { CompilationFacts } from './compilation';
import { Glyph } from './glyph';
import { Term } from './term';
import { Why } from './why';
import { Columns } from './columns';

interface Props {
  readonly session: Session;
  readonly focus: Focus;
  readonly actions: Actions;
}

/** Why a trace happened, what went into it, what was baked in, and what XLA made of it. */
export function ArgumentsAndConstants(props: Props): JSX.Element {
  const { session } = props;
  const { trace } = props.focus;
  if (!trace) {
    return <Why {...props} />;
  }
  const compilations = session.recording.compilations.records.filter(
    compilation => compilation.trace === trace.id
  );
  return (
    <div class="jtv-arguments">
      <Why {...props} />
      <Arguments session={session} trace={trace} />
      <Constants trace={trace} />
      <Outside session={session} trace={trace} />
      {compilations.map((compilation, i) => (
        <CompilationFacts
          key={compilation.id}
          compilation={compilation}
          number={i + 1}
          count={compilations.length}
        />
      ))}
    </div>
  );
}

function Section(props: {
  title: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="jtv-section">
      <h4>{props.title}</h4>
      {props.children}
    </section>
  );
}

function Arguments(props: { session: Session; trace: Trace }): JSX.Element {
  const { session, trace } = props;
  return (
    <Section title={trans.__('Arguments')}>
      {trace.arguments.length === 0 ? (
        <p class="jtv-note">{trans.__('This trace has no arguments.')}</p>
      ) : (
        <table class="jtv-table" aria-label={trans.__('Arguments')}>
          <Columns
            names={[
              trans.__('Name'),
              trans.__('Role'),
              trans.__('Type'),
              trans.__('Value')
            ]}
          />
          <tbody>
            {trace.arguments.map(argument => (
              <ArgumentRow
                key={argument.path}
                argument={argument}
                target={argumentTarget(session, trace, argument.path)}
                selection={session.selection}
              />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

/** A click on its name lights up what the argument is in the other views. */
function ArgumentRow(props: {
  argument: Argument;
  target: Target | null;
  selection: Selection;
}): JSX.Element {
  const { argument, target, selection } = props;
  const sign = roleSign(argument.role);
  return (
    <tr>
      <th scope="row">
        {target ? (
          <button
            type="button"
            class="jtv-link"
            aria-pressed={sameTarget(selection.pinned, target)}
            onClick={() => selection.toggle(target)}
          >
            <code>{argument.path}</code>
          </button>
        ) : (
          <code>{argument.path}</code>
        )}
      </th>
      <td>
        <Glyph sign={sign} silent />{' '}
        <Term word={argument.role === 'static' ? 'static' : 'traced'}>
          {sign.word}
        </Term>
      </td>
      <td>
        <code>{argument.type}</code>
      </td>
      <td>{argument.value === null ? '' : <code>{argument.value}</code>}</td>
    </tr>
  );
}

function Constants({ trace }: { trace: Trace }): JSX.Element {
  const ranked = [...trace.constants].sort((a, b) => b.bytes - a.bytes);
  const bytes = ranked.reduce((sum, constant) => sum + constant.bytes, 0);
  return (
    <Section title={trans.__('Constants')}>
      {ranked.length === 0 ? (
        <p class="jtv-note">{trans.__('No array is baked in.')}</p>
      ) : (
        <>
          <p class="jtv-note">
            {trans.__(
              '%1 baked in, %2: the compiled program keeps these values, whatever happens to the names.',
              counted(ranked.length, 'array'),
              formatBytes(bytes)
            )}
          </p>
          <table class="jtv-table" aria-label={trans.__('Constants')}>
            <Columns
              names={[
                trans.__('Name'),
                trans.__('From'),
                trans.__('Type'),
                trans.__('Size')
              ]}
            />
            <tbody>
              {ranked.map((constant, i) => (
                <ConstantRow key={i} constant={constant} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </Section>
  );
}

/** Plain values that Python read while tracing: they are fixed, but no arrays. */
function Outside(props: {
  session: Session;
  trace: Trace;
}): JSX.Element | null {
  const { session, trace } = props;
  const names = lineNames(session.recording);
  if (trace.outside.length === 0) {
    return null;
  }
  return (
    <Section title={trans.__('Read from outside')}>
      <table class="jtv-table" aria-label={trans.__('Read from outside')}>
        <Columns
          names={[
            trans.__('Name'),
            trans.__('Value while tracing'),
            trans.__('Line')
          ]}
        />
        <tbody>
          {trace.outside.map(({ name, value, place }) => (
            <tr key={name}>
              <th scope="row">
                <Glyph sign={roleSign('static')} silent /> <code>{name}</code>
              </th>
              <td>
                <code>{value}</code>
              </td>
              <td title={names.full(place)}>{names.short(place)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function ConstantRow({ constant }: { constant: Constant }): JSX.Element {
  return (
    <tr>
      <th scope="row">
        <Glyph sign={BAKED_IN} />{' '}
        <code>{constant.name ?? trans.__('no name')}</code>
      </th>
      <td>{constant.source}</td>
      <td>
        <code>{constant.type}</code>
      </td>
      <td class="jtv-cost">{formatBytes(constant.bytes)}</td>
    </tr>
  );
}
