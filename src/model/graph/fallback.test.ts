import { expect, it } from 'vitest';
import { aFinding, aGraph, anUpdate } from '../../testing/records';
import { fallbackHtml } from './fallback';

function show(html: string): HTMLElement {
  const template = document.createElement('template');
  // eslint-disable-next-line no-restricted-properties -- to look at what we wrote
  template.innerHTML = html;
  return template.content.firstElementChild as HTMLElement;
}

it('holds the verdict, the findings and the graph', () => {
  const html = fallbackHtml(
    anUpdate({ findings: [aFinding()], graphs: [aGraph({ name: 'f_𝛼' })] })
  );
  const shown = show(html);
  expect(shown.querySelector('b')?.textContent).toBe('step was traced twice.');
  expect(shown.querySelector('li')?.textContent).toContain('Pad x.');
  const image = shown.querySelector('img');
  expect(image?.alt).toBe('Computation graph of f_𝛼');
  const data = image?.src.replace('data:image/svg+xml;base64,', '') ?? '';
  const bytes = Uint8Array.from(atob(data), c => c.charCodeAt(0));
  expect(new TextDecoder().decode(bytes)).toContain('f_𝛼');
});

it('keeps hostile text mere text', () => {
  const text = '</p><script>alert(1)</script>';
  const shown = show(
    fallbackHtml(anUpdate({ verdict: text, findings: [aFinding({ text })] }))
  );
  expect(shown.querySelector('script')).toBeNull();
  expect(shown.querySelector('b')?.textContent).toBe(text);
});
