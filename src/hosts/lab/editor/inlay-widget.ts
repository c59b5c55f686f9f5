import { WidgetType } from '@codemirror/view';
import type { Inlay } from '../../../model';

/** The notes at the end of one line. */
export class InlayWidget extends WidgetType {
  constructor(private readonly _inlays: readonly Inlay[]) {
    super();
  }

  override eq(other: InlayWidget): boolean {
    return JSON.stringify(this._inlays) === JSON.stringify(other._inlays);
  }

  override toDOM(): HTMLElement {
    const node = document.createElement('span');
    node.className = 'jtv-inlays jtv-colours';
    node.append(...this._inlays.map(draw));
    return node;
  }

  /** Clicks and the pointer are the line's. */
  override ignoreEvent(): boolean {
    return false;
  }
}

function draw({ sign, name, text, spoken }: Inlay): HTMLElement {
  const node = document.createElement('span');
  node.className = `jtv-inlay jtv-tone-${sign?.tone ?? 'neutral'}`;
  node.setAttribute('role', 'note');
  node.setAttribute('aria-label', spoken);
  if (name) {
    node.append(part('jtv-name', name), ' ');
  }
  if (sign) {
    node.append(part('jtv-glyph', sign.glyph), ' ');
  }
  node.append(text);
  return node;
}

function part(name: string, text: string): HTMLElement {
  const node = document.createElement('span');
  node.className = name;
  node.textContent = text;
  return node;
}
