import type { JSX } from 'preact';
import { fileName, focusOf, graphOf, svgFile, trans } from '../../model';
import type { Session } from '../../store';
import type { ExportFormat, PanelActions } from '../actions';
import { useAsking } from '../asking';
import { Progress } from '../progress';

interface Props {
  readonly session: Session;
  readonly actions: PanelActions;
}

/** Every form that a recording can be saved in. What only the kernel can make is said so where there is none. */
export function Export({ session, actions }: Props): JSX.Element {
  const asking = useAsking();
  const exportAs = session.cutOff ? null : actions.exportAs;
  const save = (format: ExportFormat): void => {
    if (exportAs) {
      asking.ask(signal => exportAs(session, format, signal));
    }
  };
  const forms: readonly [ExportFormat, string][] = [
    ['json', trans.__('JSON document')],
    ['html', trans.__('HTML report')],
    ['chrome_trace', trans.__('Chrome trace')]
  ];
  return (
    <div
      class="jtv-export"
      role="group"
      aria-label={trans.__('Export this recording')}
    >
      <div class="jtv-export-forms">
        {forms.map(([format, name]) => (
          <button
            key={format}
            type="button"
            class="jtv-button"
            disabled={!exportAs || asking.busy}
            title={
              exportAs ? '' : trans.__('Needs the kernel that recorded it.')
            }
            onClick={() => save(format)}
          >
            {name}
          </button>
        ))}
        <SvgButton session={session} actions={actions} />
      </div>
      <p class="jtv-note">
        {exportAs
          ? trans.__(
              'Files hold your source lines, the shapes of arguments, and the values of static arguments and plain Python variables; not the values of arrays.'
            )
          : trans.__('All but the graph need the kernel that recorded this.')}
      </p>
      <Progress
        asking={asking}
        doing={trans.__('The kernel makes the file…')}
      />
    </div>
  );
}

/** The graph of the trace that is shown, as it is open: that needs no kernel. */
function SvgButton({ session, actions }: Props): JSX.Element {
  const { trace } = focusOf(session);
  const graph = trace && graphOf(session, trace.id);
  const save = (): void => {
    if (graph) {
      const name = fileName(graph.name);
      actions.saveFile(`${name}.svg`, 'image/svg+xml', svgFile(graph));
    }
  };
  return (
    <button
      type="button"
      class="jtv-button"
      disabled={!graph}
      title={
        graph ? '' : trans.__('There is no graph of the trace that is shown.')
      }
      onClick={save}
    >
      {trans.__('SVG of the graph')}
    </button>
  );
}
