import type { Page } from '@playwright/test';

/** What a page did that nobody wants, whoever in it did. */
export class Watched {
  constructor(page: Page) {
    page.on('request', request => this._addresses.add(request.url()));
    page.on('websocket', socket => this._addresses.add(socket.url()));
    page.on('response', response => {
      if (response.status() >= 400) {
        this.complaints.push(`${response.status()} ${response.url()}`);
      }
    });
    page.on('pageerror', error => this.complaints.push(String(error)));
    page.on('console', message => {
      // JupyterLab itself tells there which workspace and which kernel it opens.
      if (message.type() !== 'debug') {
        this.complaints.push(`${message.type()}: ${message.text()}`);
      }
    });
  }

  /** Lines in the console, errors that nobody caught, and requests that were refused. */
  readonly complaints: string[] = [];

  /** What was asked for, over HTTP or by websocket, that does not lie below this address. */
  outside(url: string): string[] {
    const { host, pathname } = new URL(url);
    const inside = new RegExp(`^(http|ws)://${host}${pathname}`);
    return [...this._addresses].filter(
      address => !/^(data|blob):/.test(address) && !inside.test(address)
    );
  }

  private readonly _addresses = new Set<string>();
}
