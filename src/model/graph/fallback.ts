import type { Finding, Update } from '../../protocol';
import { trans } from '../words/language';
import { svgFile } from './svg';
import { element, escapeXml } from './xml';

/** What a notebook shows of a cell where our front end is missing: no script, and nothing from elsewhere. */
export function fallbackHtml(update: Update): string {
  const [graph] = update.graphs;
  const verdict = element('p', {}, element('b', {}, plain(update.verdict)));
  const findings = update.findings.map(writeFinding).join('');
  const picture = graph
    ? element('img', {
        alt: trans.__('Computation graph of %1', graph.name),
        src: `data:image/svg+xml;base64,${base64(svgFile(graph))}`
      })
    : '';
  const list = findings && element('ul', {}, findings);
  return element('div', {}, verdict + list + picture);
}

function writeFinding({ text, fix }: Finding): string {
  return element('li', {}, plain(text) + (fix ? `<br/>${plain(fix)}` : ''));
}

function plain(text: string): string {
  return escapeXml(text.replaceAll('`', ''));
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
}
