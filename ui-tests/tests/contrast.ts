import type { Locator } from '@playwright/test';
import { OURS } from './everywhere';

/** What WCAG 2.2 asks for: text 4.5 : 1, graphics and the borders of controls 3 : 1. */
const TEXT = 4.5;
const GRAPHICS = 3;

/** Texts whose contrast to what lies under them is too low. */
export function unreadableTexts(
  where: Locator,
  ours = OURS
): Promise<string[]> {
  return where.evaluate(measure, { least: TEXT, what: 'text', ours } as const);
}

/** Boxes, lines and controls that stand out too little against what lies around them. */
export function faintGraphics(where: Locator): Promise<string[]> {
  return where.evaluate(measure, {
    least: GRAPHICS,
    what: 'graphics',
    ours: OURS
  } as const);
}

/** Runs in the page. */
function measure(
  root: Element,
  {
    least,
    what,
    ours
  }: { least: number; what: 'text' | 'graphics'; ours: string }
): string[] {
  type Colour = readonly number[];
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const paint = canvas.getContext('2d', { willReadFrequently: true });

  /** A colour, seen through its opacity, over another one. */
  const over = (under: Colour, colour: string, opacity = 1): Colour => {
    if (!paint || colour === 'none') {
      return under;
    }
    paint.globalAlpha = 1;
    paint.fillStyle = `rgb(${under.join(' ')})`;
    paint.fillRect(0, 0, 1, 1);
    paint.globalAlpha = opacity;
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour: Colour): number => {
    const [red = 0, green = 0, blue = 0] = colour.map(value => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (one: Colour, other: Colour): number => {
    const [a, b] = [light(one), light(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const above = (node: Element): Element | null => {
    const tree = node.getRootNode();
    return node.parentElement ?? (tree instanceof ShadowRoot ? tree.host : null);
  };
  const opacityOf = (node: Element | null): number =>
    node ? Number(getComputedStyle(node).opacity) * opacityOf(above(node)) : 1;
  const background = (node: Element | null): Colour =>
    node
      ? over(background(above(node)), getComputedStyle(node).backgroundColor)
      : [255, 255, 255];
  const filled = 'rect, circle, polygon';

  /** What is painted at a point of a drawing before a part of it. */
  const beneath = (node: SVGElement, x: number, y: number): Colour => {
    const drawing = node.ownerSVGElement;
    let colour = background(drawing);
    for (const shape of drawing?.querySelectorAll(filled) ?? []) {
      const box = shape.getBoundingClientRect();
      const before =
        shape.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
      const inside =
        box.left < x && x < box.right && box.top < y && y < box.bottom;
      if (before && inside && shape !== node) {
        const { fill, fillOpacity } = getComputedStyle(shape);
        colour = over(colour, fill, Number(fillOpacity) * opacityOf(shape));
      }
    }
    return colour;
  };
  const isShown = (node: Element): boolean =>
    node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    node.getBoundingClientRect().width > 0;
  const holdsText = (node: Element): boolean =>
    [...node.childNodes].some(
      ({ nodeType, textContent }) =>
        nodeType === Node.TEXT_NODE && textContent?.trim()
    );
  const tell = (found: number, node: Element): string[] =>
    found < least
      ? [
          `${found.toFixed(2)} ${node.tagName} ${node.getAttribute('class') ?? ''}: ${node.textContent?.slice(0, 60)}`
        ]
      : [];

  const text = (node: Element): string[] => {
    const style = getComputedStyle(node);
    if (node instanceof SVGElement) {
      const { left, top, width, height } = node.getBoundingClientRect();
      const under = beneath(node, left + width / 2, top + height / 2);
      const ink = over(under, style.fill, opacityOf(node));
      return tell(ratio(under, ink), node);
    }
    const under = background(node);
    return tell(ratio(under, over(under, style.color, opacityOf(node))), node);
  };

  const graphic = (node: Element): string[] => {
    const style = getComputedStyle(node);
    const { left, top, width, height } = node.getBoundingClientRect();
    if (node instanceof SVGElement) {
      const isLine = node.tagName === 'path';
      const around = isLine
        ? beneath(node, left + width / 2, top + height / 2)
        : beneath(node, left + 0.5, top + height / 2);
      const opacity = opacityOf(node);
      const inks = [over(around, style.stroke, opacity)];
      if (!isLine) {
        inks.push(over(around, style.fill, opacity));
      }
      return tell(Math.max(...inks.map(ink => ratio(around, ink))), node);
    }
    if (parseFloat(style.borderBottomWidth) === 0) {
      return [];
    }
    const around = background(above(node));
    const border = over(around, style.borderBottomColor);
    const most = Math.max(
      ratio(around, border),
      ratio(around, background(node))
    );
    // A button whose border is not seen is told by its words.
    return most === 1 ? [] : tell(most, node);
  };

  const nodes = [...root.querySelectorAll(ours)].filter(
    node => !node.closest(':disabled, [aria-disabled="true"]') && isShown(node)
  );
  return what === 'text'
    ? nodes.filter(holdsText).flatMap(text)
    : nodes
        .filter(node =>
          node.matches(
            'svg .jtv-node rect, svg path.jtv-edge, select, input:not([type="checkbox"], [type="radio"]), button'
          )
        )
        .flatMap(graphic);
}
