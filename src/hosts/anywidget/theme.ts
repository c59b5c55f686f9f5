/** Where the page itself says which theme it has, `variables.css` reads it. */
const SAYS_SO =
  '[data-jp-theme-light], .vscode-light, .vscode-dark, .vscode-high-contrast, html[theme]';

const WATCHED = { attributes: true, attributeFilter: ['class', 'style'] };

/**
 * Keeps a view as light or dark as what lies behind it: the reader's system may prefer the other one than the page has.
 *
 * @returns what ends that.
 */
export function followBackdrop(node: HTMLElement): () => void {
  const follow = (): void => {
    if (!node.closest(SAYS_SO)) {
      node.style.colorScheme = isDark(node) ? 'dark' : 'light';
    }
  };
  const changes = new MutationObserver(follow);
  changes.observe(document.documentElement, WATCHED);
  changes.observe(document.body, WATCHED);
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', follow);
  follow();
  return () => {
    changes.disconnect();
    system.removeEventListener('change', follow);
  };
}

function isDark(node: HTMLElement): boolean {
  const behind = backdrop(node);
  if (behind) {
    const [red = 0, green = 0, blue = 0] = behind;
    return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  }
  // The browser's own canvas, which is dark for pages that say so.
  const schemes = getComputedStyle(document.documentElement).colorScheme;
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
  return (
    schemes.includes('dark') && (prefersDark || !schemes.includes('light'))
  );
}

/** The nearest opaque background around a node, as red, green and blue from 0 to 255. */
function backdrop(node: HTMLElement): Uint8ClampedArray | null {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const paint = canvas.getContext('2d', { willReadFrequently: true });
  let at: Element | null = node;
  while (paint && at) {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = getComputedStyle(at).backgroundColor;
    paint.fillRect(0, 0, 1, 1);
    const { data } = paint.getImageData(0, 0, 1, 1);
    if ((data[3] ?? 0) > 127) {
      return data;
    }
    at = parentOf(at);
  }
  return null;
}

/** Out of shadow trees too: marimo keeps each widget in one. */
function parentOf(node: Element): Element | null {
  const root = node.getRootNode();
  return node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
