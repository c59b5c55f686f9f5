import type { JSX } from 'preact';
import { fileName, focusOf, graphOf, svgFile } from '../../model';
import type { Session } from '../../store';
import type { ExportFormat, PanelActions } from '../actions';
import { useAsking } from '../asking';
import { Progress } from '../progress';
import { useWords } from './words';

interface Props {
  readonly session: Session;
  readonly actions: PanelActions;
}

/** Every form that a recording can be saved in. What only the kernel can make is said so where there is none. */
export function Export({ session, actions }: Props): JSX.Element {
  const words = useWords();
  const asking = useAsking();
  const exportAs = session.cutOff ? null : actions.exportAs;
  const save = (format: ExportFormat): void => {
    if (exportAs) {
      asking.ask(signal => exportAs(session, format, signal));
    }
  };
  const forms: readonly [ExportFormat, string][] = [
    ['json', words.exportJson],
    ['html', words.exportHtml],
    ['chrome_trace', words.exportChrome]
  ];
  return (
    <div class="jtv-export" role="group" aria-label={words.export}>
      <div class="jtv-export-forms">
        {forms.map(([format, name]) => (
          <button
            key={format}
            type="button"
            class="jtv-button"
            disabled={!exportAs || asking.busy}
            title={exportAs ? '' : words.needsKernel}
            onClick={() => save(format)}
          >
            {name}
          </button>
        ))}
        <SvgButton session={session} actions={actions} />
      </div>
      <p class="jtv-note">{exportAs ? words.exportHolds : words.needsKernel}</p>
      <Progress asking={asking} doing={words.exporting} />
    </div>
  );
}

/** The graph of the trace that is shown, as it is open: that needs no kernel. */
function SvgButton({ session, actions }: Props): JSX.Element {
  const words = useWords();
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
      title={graph ? '' : words.noGraph}
      onClick={save}
    >
      {words.exportSvg}
    </button>
  );
}
