import type { Locator, Page } from '@playwright/test';
import { OURS } from './everywhere';

/** What the Tab key may stop at. */
const STOPS = 'a[href], button, input, select, summary, textarea, [tabindex]';

interface Walk {
  /** How many stops were not reached yet. */
  left(): number;
  end(): string[];
}

/** Walks by the Tab key from the first stop to beyond the last; tells the stops that were missed or do not show the focus. */
export async function keyboardFaults(
  page: Page,
  where: Locator
): Promise<string[]> {
  const walk = await where.evaluateHandle(watchFocus, [STOPS, OURS] as const);
  // The browser shows the focus as soon as it came by a key.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  let left = Infinity;
  // Again, since the meaning of a word comes up with the focus and has a stop of its own.
  for (let now = await leftIn(walk); now < left; now = await leftIn(walk)) {
    left = now;
    for (let press = 0; press < left; press++) {
      await page.keyboard.press('Tab');
    }
  }
  return walk.evaluate(it => it.end());
}

function leftIn(walk: { evaluate(ask: (it: Walk) => number): Promise<number> }): Promise<number> {
  return walk.evaluate(it => it.left());
}

/** Runs in the page: puts the focus on the first stop, and from there on notes where it comes and whether one sees it. */
function watchFocus(
  root: Element,
  [stops, ours]: readonly [string, string]
): Walk {
  const nodes = [...root.querySelectorAll<HTMLElement>(stops)].filter(
    node =>
      node.matches(ours) &&
      node.tabIndex >= 0 &&
      !node.matches(':disabled') &&
      node.checkVisibility({ visibilityProperty: true })
  );
  const reached = new Set<Element>();
  const unseen = new Set<Element>();
  const look = (node: Element): string =>
    [
      node,
      ...node.querySelectorAll('rect, circle'),
      node.closest('label') ?? node
    ]
      .map(part => {
        const { outlineStyle, outlineWidth, boxShadow, stroke, strokeWidth } =
          getComputedStyle(part);
        const outline = outlineStyle === 'none' ? '' : outlineWidth;
        return [outline, boxShadow, stroke, strokeWidth].join();
      })
      .join(';');
  let focused = '';
  const watch = new AbortController();
  const onFocus = ({ target }: FocusEvent): void => {
    focused = look(target as Element);
  };
  const onBlur = ({ target }: FocusEvent): void => {
    const node = target as HTMLElement;
    reached.add(node);
    (look(node) === focused ? unseen : new Set()).add(node);
  };
  nodes[0]?.focus();
  root.addEventListener('focusin', onFocus as EventListener, watch);
  root.addEventListener('focusout', onBlur as EventListener, watch);
  const missed = (): HTMLElement[] => nodes.filter(node => !reached.has(node));
  const tell = (words: string) => (node: Element) =>
    `${words}: ${node.outerHTML.slice(0, 120)}`;
  return {
    left: () => missed().length,
    end: () => {
      watch.abort();
      return [
        ...missed().map(tell('not reached')),
        ...nodes.filter(node => unseen.has(node)).map(tell('the focus is not seen'))
      ];
    }
  };
}
