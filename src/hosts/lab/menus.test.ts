import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Item {
  readonly type?: string;
  readonly rank: number;
}

interface Schema {
  readonly 'jupyter.lab.menus': {
    readonly main: readonly { id: string; items: readonly Item[] }[];
  };
}

it('sets the submenu JAX apart from what stands around it in the menu Run', () => {
  const text = readFileSync('schema/recording.json', 'utf8');
  const { main } = (JSON.parse(text) as Schema)['jupyter.lab.menus'];
  const run = main.find(({ id }) => id === 'jp-mainmenu-run');
  const items = [...(run?.items ?? [])].sort((a, b) => a.rank - b.rank);
  expect(items.map(({ type }) => type)).toEqual([
    'separator',
    'submenu',
    'separator'
  ]);
});
