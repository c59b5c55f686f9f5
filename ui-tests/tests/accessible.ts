import type { Locator, Page } from '@playwright/test';

/** What we draw: views, and marks, badges, tooltips and the status among JupyterLab's own. */
export const OURS = ':is(.jtv-root, .jtv-colours) *';

/** What a person with a pointer, a keyboard or a screen reader may use. */
const INTERACTIVE = [
  'a[href]',
  'button',
  'input',
  'select',
  'summary',
  'textarea',
  '[tabindex]',
  '[role="button"]',
  '[role="option"]',
  '[role="tab"]'
].join(', ');

/**
 * Where the size itself tells something, and other ways lead to the same: lines of text, stretches of time, boxes of a
 * picture as large as it was zoomed.
 */
const TRUE_TO_SCALE =
  '.jtv-line, .jtv-span, .jtv-stretch, .jtv-cause, .jtv-node';

/** What cannot be hit well: below 24 by 24 pixels, and too near to others (WCAG 2.2, 2.5.8). */
export function smallTargets(
  where: Locator,
  ours = OURS
): Promise<string[]> {
  return where.evaluate(
    (root, [selector, exempt, whose]) => {
    const LEAST = 24;
    const nodes = [...root.querySelectorAll(selector)].filter(
      node =>
        node.matches(whose) &&
        !node.matches(':disabled, [role="tabpanel"], [role="group"]') &&
        node.checkVisibility({ visibilityProperty: true }) &&
        node.getBoundingClientRect().width > 0
    );
    const boxOf = (node: Element): DOMRect =>
      (node.closest('label') ?? node).getBoundingClientRect();
    const isSmall = ({ width, height }: DOMRect): boolean =>
      Math.min(width, height) < LEAST - 0.5;
    const isNear = (one: DOMRect, other: DOMRect): boolean => {
      const x = one.left + one.width / 2;
      const y = one.top + one.height / 2;
      const across = Math.max(other.left - x, 0, x - other.right);
      const down = Math.max(other.top - y, 0, y - other.bottom);
      return Math.hypot(across, down) < LEAST / 2 - 0.5;
    };
    const inSentence = (node: Element): boolean =>
      getComputedStyle(node).display === 'inline' &&
      node.closest('p, li, td') !== null;
    return nodes
      .filter(node => {
        const box = boxOf(node);
        return (
          isSmall(box) &&
          !node.matches(exempt) &&
          !inSentence(node) &&
          nodes.some(
            other =>
              other !== node &&
              !other.contains(node) &&
              !node.contains(other) &&
              isNear(box, boxOf(other))
          )
        );
      })
      .map(node => {
        const { width, height } = boxOf(node);
        return `${width.toFixed()} × ${height.toFixed()} ${node.tagName} ${node.getAttribute('class') ?? ''}: ${node.textContent?.slice(0, 40)}`;
      });
  }, [INTERACTIVE, TRUE_TO_SCALE, ours] as const);
}

/** What a screen reader would say wrongly: roles without their surroundings, references that lead nowhere. */
export function wrongRoles(where: Locator): Promise<string[]> {
  return where.evaluate((root, [selector, whose]) => {
    const WITHIN: Record<string, string> = {
      tab: '[role="tablist"]',
      option: '[role="listbox"], select, datalist',
      treeitem: '[role="tree"], [role="group"]',
      menuitem: '[role="menu"], [role="menubar"]',
      row: 'table, [role="table"], [role="grid"], [role="rowgroup"]',
      cell: '[role="row"], tr',
      listitem: '[role="list"], ul, ol'
    };
    const REFERENCES = [
      'aria-activedescendant',
      'aria-controls',
      'aria-describedby',
      'aria-labelledby',
      'aria-owns',
      'for'
    ];
    const say = (node: Element, words: string): string =>
      `${words}: ${node.outerHTML.slice(0, 120)}`;
    const tree = root.getRootNode() as Document | ShadowRoot;
    return [...root.querySelectorAll(whose)].flatMap(node => {
      const faults: string[] = [];
      const role = node.getAttribute('role') ?? '';
      const parents = WITHIN[role];
      if (parents && !node.parentElement?.closest(parents)) {
        faults.push(say(node, `no ${parents} around it`));
      }
      for (const name of REFERENCES) {
        for (const id of node.getAttribute(name)?.split(/\s+/) ?? []) {
          if (id && !tree.getElementById(id)) {
            faults.push(say(node, `${name} leads nowhere`));
          }
        }
      }
      if (node.id && tree.querySelectorAll(`#${CSS.escape(node.id)}`).length > 1) {
        faults.push(say(node, 'an id that is not its own'));
      }
      if (node.matches(selector)) {
        if (node.closest('[aria-hidden="true"]') && !node.matches('[tabindex="-1"]')) {
          faults.push(say(node, 'hidden, but it can be focused'));
        }
        if (node.parentElement?.closest('button, a[href], [role="button"]')) {
          faults.push(say(node, 'inside of another one'));
        }
        if (Number(node.getAttribute('tabindex')) > 0) {
          faults.push(say(node, 'out of the order'));
        }
      }
      if (node.tagName === 'UL' && !node.hasAttribute('role')) {
        faults.push(
          ...[...node.children]
            .filter(({ tagName }) => tagName !== 'LI')
            .map(child => say(child, 'no item of its list'))
        );
      }
      return faults;
    });
  }, [INTERACTIVE, OURS] as const);
}

const NAMED = new Set(
  'button checkbox combobox graphics-document image img link listbox option radio region searchbox slider spinbutton switch tab table tablist tabpanel textbox tree treeitem'.split(
    ' '
  )
);

interface SpokenNode {
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
}

/** What the browser itself tells screen readers without a name. */
export async function nameless(page: Page, selector: string): Promise<string[]> {
  // Galata's page is not Playwright's.
  const [tab = page] = page.context().pages();
  const browser = await page.context().newCDPSession(tab);
  const { root } = await browser.send('DOM.getDocument');
  const { nodeId } = await browser.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector
  });
  const { nodes } = (await browser.send('Accessibility.queryAXTree', {
    nodeId
  })) as { nodes: SpokenNode[] };
  await browser.detach();
  return nodes
    .filter(
      ({ ignored, role, name }) =>
        !ignored && NAMED.has(role?.value ?? '') && !name?.value.trim()
    )
    .map(node => JSON.stringify(node));
}

/** Walks by the Tab key from the first stop to beyond the last; tells the stops that were missed or do not show the focus. */
export async function keyboardFaults(
  page: Page,
  where: Locator
): Promise<string[]> {
  const count = await where.evaluate((root, [selector, whose]) => {
    const stops = [...root.querySelectorAll<HTMLElement>(selector)].filter(
      node =>
        node.matches(whose) &&
        node.tabIndex >= 0 &&
        !node.matches(':disabled') &&
        node.checkVisibility({ visibilityProperty: true })
    );
    stops.forEach((node, i) => node.setAttribute('data-stop', String(i)));
    stops[0]?.focus();
    return stops.length;
  }, [INTERACTIVE, OURS] as const);
  const faults: string[] = [];
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  for (let stop = 0; stop < count; stop++) {
    faults.push(...(await where.evaluate(faultsOfFocus, stop)));
    await page.keyboard.press('Tab');
    // The meaning of a word comes up with the focus, and has a stop of its own.
    if (await where.evaluate(isInMeaning)) {
      await page.keyboard.press('Tab');
    }
  }
  await where.evaluate(root => {
    root
      .querySelectorAll('[data-stop]')
      .forEach(node => node.removeAttribute('data-stop'));
  });
  return faults;
}

/** Runs in the page. */
function isInMeaning(root: Element): boolean {
  const tree = root.getRootNode() as Document | ShadowRoot;
  return tree.activeElement?.closest('.jtv-term-meaning') != null;
}

/** Runs in the page: whether this stop has the focus, and shows it. */
function faultsOfFocus(root: Element, stop: number): string[] {
  const tree = root.getRootNode() as Document | ShadowRoot;
  const node = tree.activeElement;
  if (node?.getAttribute('data-stop') !== String(stop)) {
    const missed = root.querySelector(`[data-stop="${stop}"]`);
    return [`not reached: ${missed?.outerHTML.slice(0, 120)}`];
  }
  const look = (): string =>
    [node, ...node.querySelectorAll('rect, circle'), node.closest('label') ?? node]
      .map(part => {
        const { outlineStyle, outlineWidth, boxShadow, stroke, strokeWidth } =
          getComputedStyle(part);
        const outline = outlineStyle === 'none' ? '' : outlineWidth;
        return [outline, boxShadow, stroke, strokeWidth].join();
      })
      .join(';');
  const focused = look();
  (node as HTMLElement).blur();
  const plain = look();
  (node as HTMLElement).focus();
  return focused === plain
    ? [`the focus is not seen: ${node.outerHTML.slice(0, 120)}`]
    : [];
}

/** Elements that move. */
export function moving(where: Locator): Promise<string[]> {
  return where.evaluate((root, whose) =>
    [...root.querySelectorAll(`.jtv-root, .jtv-colours, ${whose}`)]
      .filter(node => {
        const { animationName, animationDuration, transitionDuration } =
          getComputedStyle(node);
        const lasts = (durations: string): boolean =>
          durations.split(',').some(duration => parseFloat(duration) > 0.001);
        return (
          (animationName !== 'none' && lasts(animationDuration)) ||
          lasts(transitionDuration)
        );
      })
      .map(node => node.outerHTML.slice(0, 120)),
    OURS
  );
}
