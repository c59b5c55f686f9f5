import type { Graph } from '../../protocol';
import type { Entry, Mark } from './box-mark';
import { counted } from '../words/counted';
import { formatBytes, formatCount } from '../words/format';
import { trans } from '../words/language';
import type { Tone } from './palette';

type Overlay = NonNullable<Graph['overlay']>;
type Kernels = Overlay['boxes'][number];
type Kernel = Overlay['kernels'][number];

/** So many kernels are named on a box, and in the legend. */
const NAMED = 2;
const LISTED = 16;

/** As many as `exports/palette.py` has. */
const TONES = [
  'kernel-0',
  'kernel-1',
  'kernel-2',
  'kernel-3',
  'kernel-4',
  'kernel-5',
  'kernel-6',
  'kernel-7'
] as const satisfies readonly Tone[];

/** The kernels that a box's equations ended up in; null where there is nothing to say. */
export function kernelMark(box: Kernels, overlay: Overlay): Mark | null {
  const { kernels, title } = box;
  const numbers = kernels
    .slice(0, NAMED)
    .map(place => overlay.kernels[place]?.number ?? NaN);
  const [first] = numbers;
  if (first === undefined) {
    return box.dead + box.constant + box.unknown > 0
      ? { tone: 'plain', badge: '–', title, dashed: true }
      : null;
  }
  const more = kernels.length + box.more - numbers.length;
  return {
    tone: toneOf(first),
    badge: numbers.join(', ') + (more > 0 ? ` +${more}` : ''),
    title,
    dashed: box.placed === 0
  };
}

/** What XLA made of the equations: in sum, and kernel by kernel. */
export function kernelEntries(overlay: Overlay): Entry[] {
  const { kernels, holding, summary, note, flops, bytes_accessed } = overlay;
  const head = [
    summary,
    flops ? trans.__('%1 flops', formatCount(Math.round(flops))) : '',
    bytes_accessed ? trans.__('%1 accessed', formatBytes(bytes_accessed)) : ''
  ];
  const texts = [head.filter(Boolean).join(', '), note].filter(Boolean);
  const listed = kernels
    .filter(({ equations, alike }) => equations + alike > 0)
    .sort((a, b) => b.equations - a.equations)
    .slice(0, LISTED)
    .sort((a, b) => a.number - b.number);
  const more = counted(holding - LISTED, 'more kernel');
  return [
    ...texts.map<Entry>(text => ({ tone: null, text: `XLA: ${text}` })),
    ...listed.map<Entry>(kernel => ({
      tone: toneOf(kernel.number),
      text: trans.__(
        '%1 %2 (%3, %4 in and out)',
        kernel.number,
        nameOf(kernel),
        heldBy(kernel),
        formatBytes(kernel.bytes)
      )
    })),
    ...(holding > LISTED
      ? [{ tone: null, text: trans.__('and %1 with fewer equations', more) }]
      : [])
  ];
}

/** The kernels that a box's equations ended up in, one by one. */
export function kernelWords({ overlay }: Graph, box: number): string[] {
  const { kernels: places = [], more = 0 } = overlay?.boxes[box] ?? {};
  const words = places.flatMap(place => {
    const kernel = overlay?.kernels[place];
    return kernel
      ? [trans.__('kernel %1: %2', kernel.number, nameOf(kernel))]
      : [];
  });
  return more > 0
    ? [...words, trans.__('and %1', counted(more, 'more kernel'))]
    : words;
}

/** There are fewer colours than kernels. */
function toneOf(number: number): Tone {
  return TONES[(number - 1) % TONES.length] ?? 'plain';
}

function nameOf({ name, what, inside }: Kernel): string {
  const where = inside ? trans.__('%1 in %2', name, inside) : name;
  return where + (what === name ? '' : `: ${what}`);
}

/** `2 equations and perhaps 12 more`. */
function heldBy({ equations, alike }: Kernel): string {
  if (alike === 0) {
    return counted(equations, 'equation');
  }
  return equations === 0
    ? trans.__('perhaps %1', counted(alike, 'equation'))
    : trans.__(
        '%1 and perhaps %2 more',
        counted(equations, 'equation'),
        formatCount(alike)
      );
}
