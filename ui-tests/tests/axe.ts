import axe, { type Result } from 'axe-core';
import type { Locator, Page } from '@playwright/test';
import { ROOTS } from './everywhere';

/**
 * Where the size itself tells something, and other ways lead to the same: lines of text, stretches of time, boxes of a
 * picture as large as it was zoomed.
 */
const TRUE_TO_SCALE =
  '.jtv-line, .jtv-span, .jtv-stretch, .jtv-cause, .jtv-node';

/** What axe finds wrong in what is shown of us: every rule but those for whole pages, also what it calls minor. */
export async function axeFaults(
  where: Locator,
  roots = ROOTS
): Promise<string[]> {
  await load(where.page());
  return where.evaluate(scan, { roots, exempt: TRUE_TO_SCALE });
}

async function load(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source);
  }
}

/** Runs in the page. */
async function scan(
  root: Element,
  { roots, exempt }: { roots: string; exempt: string }
): Promise<string[]> {
  const { axe, document } = window as unknown as {
    axe: typeof import('axe-core');
    document: Document;
  };
  const include = [root, ...root.querySelectorAll(roots)].filter(
    node => node.matches(roots) && node.checkVisibility()
  );
  const { style } = document.body;
  // The body of JupyterLab's page has no height, and axe takes all that lies outside of it for hidden.
  style.minHeight = '100vh';
  const { passes, violations, incomplete } = await axe.run(
    { include: include as unknown as string[] },
    {
      elementRef: true,
      preload: false,
      rules: { 'target-size': { enabled: true } }
    }
  );
  style.minHeight = '';
  const told = ({ id, impact, nodes }: Result): string[] =>
    nodes
      .filter(
        ({ element }) => id !== 'target-size' || !element?.matches(exempt)
      )
      .map(
        ({ html, failureSummary }) =>
          `${impact} ${id}: ${html.slice(0, 120)} ${failureSummary}`
      );
  // Of what the Tab key passes over, axe does not say whether it is a target.
  const targets = incomplete.filter(({ id }) => id === 'target-size');
  const faults = [...violations, ...targets].flatMap(told);
  return passes.length > 0 ? faults : ['axe saw nothing', ...faults];
}

/** What a screen reader would tell without a name, and axe has no rule for. */
export async function nameless(where: Locator): Promise<string[]> {
  const spoken = await where.ariaSnapshot();
  return spoken
    .split('\n')
    .filter(line =>
      /^ *- (region|tab|table|tablist|tabpanel|tree)( \[|:|$)/.test(line)
    );
}
