import type { Graph } from '../protocol';
import { counted, formatBytes, formatFlops } from './format';
import { Legend, Paint, Swatch, hue } from './paint';

type Overlay = NonNullable<Graph['overlay']>;
type Kernels = Overlay['boxes'][number];

/** So many kernels are told apart in the legend. */
const LISTED = 8;

/** The kernels of XLA that the boxes' equations ended up in. */
export function kernelPaints({
  boxes,
  overlay
}: Graph): ReadonlyMap<string, Paint> {
  const placed = overlay?.boxes ?? [];
  return new Map(
    boxes.flatMap((box, i) => {
      const kernels = placed[i];
      return overlay && kernels && !box.open && total(kernels) > 0
        ? [[box.id, paintOf(overlay, kernels, box.width)] as const]
        : [];
    })
  );
}

/** `41 equations → 6 kernels`, and what became of those that stand in none. */
export function kernelLegend({ overlay }: Graph): Legend {
  if (!overlay) {
    return { swatches: [], words: 'Asking what XLA made of it…' };
  }
  const { kernels, summary, note, flops, bytes_accessed } = overlay;
  const more = kernels.length - LISTED;
  const swatches: Swatch[] = kernels
    .slice(0, LISTED)
    .map(({ name, what }, i) => ({
      className: hue(i),
      words: `${kernelName(i, name)}${what ? `, ${what}` : ''}`
    }));
  const left = { className: 'jtv-unknown', words: 'in no kernel' };
  return {
    swatches: [...swatches, ...(kernels.length > 0 ? [left] : [])],
    words: [
      summary && `${summary}.`,
      flops === null ? '' : `${formatFlops(flops)}.`,
      bytes_accessed === null
        ? ''
        : `${formatBytes(bytes_accessed)} read and written.`,
      more > 0 ? `${counted(more, 'more kernel')}; colours repeat.` : '',
      note
    ]
      .filter(Boolean)
      .join(' ')
  };
}

/** Of the kernels that a box's equations ended up in, in words; empty if that is not known. */
export function kernelWords({ overlay }: Graph, index: number): string[] {
  const kernels = overlay?.boxes[index];
  return overlay && kernels
    ? [
        ...kernels.kernels.map(i => fullName(overlay, i)),
        ...(kernels.title ? [kernels.title] : [])
      ]
    : [];
}

/** Advance of a character of a tag, and how far one may stick out of its box. */
const ADVANCE = 5.6;
const OUT = 6;

function paintOf(overlay: Overlay, kernels: Kernels, width: number): Paint {
  const words = kernels.title;
  const [first, ...others] = kernels.kernels;
  if (first === undefined) {
    return { className: 'jtv-unknown', tag: 'no kernel', words };
  }
  return others.length > 0
    ? {
        className: 'jtv-several',
        tag: counted(others.length + 1, 'kernel'),
        words
      }
    : {
        className: hue(first),
        tag: tagOf(first, overlay.kernels[first]?.name ?? '', width),
        words
      };
}

function kernelName(index: number, name: string): string {
  return `kernel ${index + 1}: ${name}`;
}

/** As much of a kernel's name as there is room for. */
function tagOf(index: number, name: string, width: number): string {
  const full = kernelName(index, name);
  const short = `kernel ${index + 1}`;
  const fits = (text: string): boolean => text.length * ADVANCE <= width + OUT;
  return fits(full) ? full : fits(short) ? short : `k${index + 1}`;
}

function fullName({ kernels }: Overlay, index: number): string {
  const { name = '', what = '', inside = '' } = kernels[index] ?? {};
  const where = inside && `, in ${inside}`;
  return `${kernelName(index, name)}${what ? ` (${what})` : ''}${where}`;
}

function total({ placed, alike, dead, constant, unknown }: Kernels): number {
  return placed + alike + dead + constant + unknown;
}
