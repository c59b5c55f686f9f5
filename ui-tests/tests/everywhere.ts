import type { IJupyterLabPageFixture } from '@jupyterlab/galata';
import type { Locator, Page } from '@playwright/test';
import { execute, expect, openNotebook, output, runByIndex } from './lab';

/** The outermost of our elements: views, and marks, badges, tooltips and the status among JupyterLab's own. */
export const ROOTS = '.jtv-root, .jtv-colours';

/** What we draw. */
export const OURS = `:is(${ROOTS}) *`;

export const CELL = `%%jaxtrace
import jax, jax.numpy as jnp

TABLE = jnp.arange(1000.0)

def layer(w, x):
    h = x @ w
    return jnp.tanh(h)

@jax.jit
def model(params, x, *, deep=True):
    for w in params:
        x = layer(w, x)
    print("traced")
    return x.sum() + TABLE.sum()

params = [jnp.ones((8, 8)) for _ in range(6)]
for batch in (4, 8, 16):
    model(params, jnp.ones((batch, 8)))`;

const FAILING = `%%jaxtrace
import jax, jax.numpy as jnp

@jax.jit
def pick(x):
    if x.sum() > 0:
        return x
    return -x

pick(jnp.ones(3))`;

export const WORD = 'the meaning of a word';
/** JupyterLab itself decides how the Tab key goes through a cell. */
export const MARKS = 'marks and badge of a cell';

/** The tab of the why card. */
export const WHY = 'Arguments & constants';

export const LIGHT = 'JupyterLab Light';
export const HIGH_CONTRAST = 'JupyterLab Dark High Contrast';
export const THEMES = [LIGHT, 'JupyterLab Dark', HIGH_CONTRAST];

/** Calls back in each tab of an output and of the panel, and with each thing open that one may open there. */
export type Everywhere = (
  look: (where: Locator, name: string) => Promise<void>
) => Promise<void>;

export interface Opened {
  readonly panel: Locator;
  /** The code of the traced cell, with its marks and its badge. */
  readonly cell: Locator;
  readonly everywhere: Everywhere;
}

/** A notebook in which all views of ours have something to show. */
export async function openAll(
  page: IJupyterLabPageFixture,
  path: string
): Promise<Opened> {
  const panel = await openNotebook(page, path, [
    '%load_ext jax_trace_viz',
    FAILING,
    CELL
  ]);
  await runByIndex(page, 0, 1, 2);
  const failed = output(page, 1);
  await expect(failed.getByRole('status')).toContainText('pick');
  const shown = output(page, 2);
  await expect(shown.getByRole('status')).toContainText('traced 3×');
  await shown.getByRole('tab', { name: WHY }).click();
  await shown.getByRole('button', { name: 'Compare the two jaxprs' }).click();
  const cell = page.locator('.jp-CodeCell').nth(2).locator('.jp-InputArea');
  await expect(cell.locator('.jtv-badge')).toBeVisible();
  const status = page.locator('#jp-main-statusbar');
  await expect(status.locator('.jtv-status')).toContainText('retraces');
  const frames = framesOf(panel);
  const everywhere: Everywhere = async look => {
    const places = { 'the output': shown, 'the panel': panel };
    for (const [place, where] of Object.entries(places)) {
      for (const tab of await where.getByRole('tab').all()) {
        await tab.click();
        await look(where, `${place}, ${await tab.innerText()}`);
      }
    }
    await look(failed, 'an error');
    // The panel shows what was used last in an output.
    await shown.getByRole('tab', { name: WHY }).click();
    await look(cell, MARKS);
    await look(status, 'the status bar');
    for (const [name, { open, close }] of Object.entries(frames)) {
      // So that nothing lies under the pointer by chance.
      await panel.page().mouse.move(0, 0);
      await open();
      await look(panel, `the panel, ${name}`);
      await close();
    }
  };
  return { panel, cell, everywhere };
}

export async function changeTheme(page: Page, theme: string): Promise<void> {
  await execute(page, 'apputils:change-theme', { theme });
  await expect(page.locator('body')).toHaveAttribute(
    'data-jp-theme-name',
    theme
  );
}

interface Frame {
  open(): Promise<void>;
  close(): Promise<void>;
}

/** What one may open in the panel. */
function framesOf(panel: Locator): Record<string, Frame> {
  const turned = (button: Locator, content: Locator): Frame => ({
    open: async () => {
      await button.click();
      await expect(content).toBeVisible();
    },
    close: async () => {
      await button.click();
      await expect(content).toBeHidden();
    }
  });
  const button = (name: string | RegExp): Locator =>
    panel.getByRole('button', { name });
  const tab = (name: string): Locator => panel.getByRole('tab', { name });
  const compare = panel.getByRole('checkbox', { name: /^Compare/ });
  const word = panel.getByRole('columnheader', { name: /^Traces/ });
  const other = panel.getByLabel('Compare with:');
  const colours = panel.getByLabel('Colours:');
  const functions = panel.getByRole('searchbox', { name: 'Search functions' });
  const equations = panel.getByRole('searchbox', { name: 'Search all equations' });
  return {
    help: turned(
      panel.locator('.jtv-tools').getByRole('button', { name: /^Keys, signs/ }),
      panel.locator('.jtv-help')
    ),
    export: turned(
      button('Export this recording'),
      panel.locator('.jtv-export')
    ),
    'two recordings compared': {
      open: async () => {
        await button(/Recordings/).click();
        await compare.first().check();
        await compare.last().check();
        await expect(panel.locator('.jtv-compared').first()).toBeVisible();
      },
      close: async () => {
        await button(/Recordings/).click();
        await expect(compare).toHaveCount(0);
      }
    },
    [WORD]: {
      open: async () => {
        await word.hover();
        await expect(panel.getByRole('tooltip')).toBeVisible();
      },
      close: async () => {
        await panel.page().mouse.move(0, 0);
        await expect(panel.getByRole('tooltip')).toBeHidden();
      }
    },
    'no function by that name': {
      open: () => functions.fill('nowhere'),
      close: () => functions.fill('')
    },
    'two traces side by side': {
      open: async () => {
        await tab('Graph').click();
        await other.selectOption({ index: 1 });
        await expect(panel.locator('.jtv-badge').first()).toBeVisible();
      },
      close: async () => {
        await other.selectOption({ index: 0 });
      }
    },
    'boxes coloured by bytes': {
      open: async () => {
        await colours.selectOption('bytes');
      },
      close: async () => {
        await colours.selectOption('kind');
      }
    },
    'what was searched for': {
      open: async () => {
        await equations.fill('tanh');
        await expect(panel.getByRole('list', { name: 'Matches' })).toBeVisible();
      },
      close: () => equations.fill('')
    },
    'a graph as a table': turned(
      panel.getByRole('button', { name: 'Table', exact: true }),
      panel.getByRole('table', { name: /^Computation graph/ })
    )
  };
}
