import { test as base } from '@playwright/test';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Page } from '@playwright/test';
import { ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notebookWith } from './lab';

/** How long a server may take to answer, in milliseconds. */
const PATIENCE = 60_000;

export interface ServerOptions {
  /** The program that is run; from the PATH unless it names a folder. */
  readonly program?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** As on JupyterHub: `/user/jo/`. */
  readonly base?: string;
  /** The kernel of its notebooks. */
  readonly kernel?: string;
  /** By name, in the server's folder: the sources of each one's cells. */
  readonly notebooks: Readonly<Record<string, readonly string[]>>;
}

/** A Jupyter server as people run it: with a token and the XSRF check, unlike the one of the other tests. */
export interface Server {
  /** The server's first page, with the slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly folder: string;
}

interface Fixtures {
  serve: (options: ServerOptions) => Promise<Server>;
}

/** Tests with servers of their own. They end with the test. */
export const test = base.extend<Fixtures>({
  serve: async ({ browserName }, use) => {
    void browserName;
    const running: (() => Promise<void>)[] = [];
    await use(async options => {
      const folder = await mkdtemp(join(tmpdir(), 'jax-trace-viz-'));
      await fill(folder, options);
      const port = await freePort();
      const child = start(options, folder, port);
      running.push(async () => {
        await end(child);
        await rm(folder, { recursive: true, force: true });
      });
      const url = `http://127.0.0.1:${port}${options.base ?? '/'}`;
      await answers(child, `${url}api`);
      return { url, token: TOKEN, folder };
    });
    await Promise.all(running.map(stop => stop()));
  }
});

const TOKEN = 'a-token-of-the-tests';

/** JupyterLab asks at its first start whether it may ask for news. */
const NO_NEWS = { fetchNews: 'false', checkForUpdates: false };

async function fill(folder: string, options: ServerOptions): Promise<void> {
  for (const [name, sources] of Object.entries(options.notebooks)) {
    const text = JSON.stringify(notebookWith(sources, options.kernel));
    await writeFile(join(folder, name), text);
  }
  const settings = join(folder, '.settings', '@jupyterlab/apputils-extension');
  await mkdir(settings, { recursive: true });
  await writeFile(
    join(settings, 'notification.jupyterlab-settings'),
    JSON.stringify(NO_NEWS)
  );
}

function start(
  { program = 'jupyter', args = ['lab'], env = {}, base = '/' }: ServerOptions,
  folder: string,
  port: number
): ChildProcess {
  const settings = [
    '--no-browser',
    '--allow-root',
    '--log-level=ERROR',
    '--ServerApp.ip=127.0.0.1',
    `--ServerApp.port=${port}`,
    '--ServerApp.port_retries=0',
    `--ServerApp.base_url=${base}`,
    `--ServerApp.root_dir=${folder}`,
    `--IdentityProvider.token=${TOKEN}`,
    '--LabApp.expose_app_in_browser=True'
  ];
  return spawn(program, [...args, ...settings], {
    env: {
      ...process.env,
      JUPYTERLAB_SETTINGS_DIR: join(folder, '.settings'),
      JUPYTERLAB_WORKSPACES_DIR: join(folder, '.workspaces'),
      ...env
    },
    stdio: ['ignore', 'ignore', 'pipe']
  });
}

async function answers(child: ChildProcess, url: string): Promise<void> {
  let said = '';
  child.stderr?.on('data', (text: Buffer) => (said += text.toString()));
  const last = Date.now() + PATIENCE;
  while (Date.now() < last && child.exitCode === null) {
    const answer = await fetch(url).catch(() => null);
    if (answer) {
      return;
    }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error(`No Jupyter server at ${url}: ${said}`);
}

/** The server shuts its kernels down when it is told to end. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) {
    const ended = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** Opens a notebook of a server, signed in. */
export async function visit(
  page: Page,
  { url, token }: Server,
  path: string
): Promise<void> {
  await page.goto(`${url}${path}?token=${token}`);
  await page.waitForFunction(() => 'jupyterapp' in window);
  await page.evaluate(() => window.jupyterapp.restored);
  await page.locator('.jp-Notebook').waitFor();
  // A cell that runs earlier makes JupyterLab ask for a kernel.
  await page.evaluate(async () => {
    const { currentWidget } = window.jupyterapp.shell;
    const { sessionContext } = currentWidget as unknown as NotebookPanel;
    await sessionContext.ready;
  });
}

