import type { JSX } from 'preact';
import {
  Words,
  formatBytes,
  formatCount,
  formatSeconds,
  toldReasons,
  trans
} from '../model';
import type { Compilation } from '../protocol';
import { Change } from './change';

const CACHE_WORDS: Record<Compilation['persistent_cache'], Words> = {
  hit: () => trans.__('loaded from the persistent compilation cache'),
  miss: () => trans.__('not in the persistent compilation cache'),
  off: () => trans.__('no persistent compilation cache is set')
};

const WRITE_WORDS: Record<Compilation['cache_write'], Words> = {
  none: () => '',
  written: () => trans.__('; written to it'),
  too_fast: () => trans.__('; compiled too fast to be written to it'),
  not_written: () => trans.__('; not written to it')
};

/** What XLA made of a trace; `number` and `count` tell several compilations of one trace apart. */
export function CompilationFacts(props: {
  compilation: Compilation;
  number: number;
  count: number;
}): JSX.Element {
  const { compilation, number, count } = props;
  return (
    <section class="jtv-section">
      <h4>
        {count === 1
          ? trans.__('Compilation')
          : trans.__('Compilation %1 of %2', number, count)}
      </h4>
      <dl class="jtv-facts-list">
        <dt>{trans.__('Reason')}</dt>
        <dd>
          <ul>
            {toldReasons(compilation.reasons).map((reason, i) => (
              <li key={i}>
                <Change reason={reason} />
              </li>
            ))}
          </ul>
        </dd>
        {factsOf(compilation).map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

function factsOf(compilation: Compilation): [string, string][] {
  const { flops, bytes_accessed: accessed, memory, devices } = compilation;
  const facts: [string, string][] = [
    [
      trans.__('Time'),
      trans.__(
        'lower %1, compile %2',
        formatSeconds(compilation.lower_seconds),
        formatSeconds(compilation.seconds)
      )
    ],
    [
      trans.__('Cache'),
      CACHE_WORDS[compilation.persistent_cache]() +
        WRITE_WORDS[compilation.cache_write]()
    ]
  ];
  if (flops !== null) {
    facts.push([
      trans.__('Operations'),
      trans.__('%1 flops per call', formatCount(flops))
    ]);
  }
  if (accessed !== null) {
    facts.push([
      trans.__('Memory traffic'),
      trans.__('%1 per call', formatBytes(accessed))
    ]);
  }
  for (const [name, bytes] of Object.entries(memory)) {
    facts.push([name, formatBytes(bytes)]);
  }
  const { in_shardings: inputs, out_shardings: outputs } = compilation;
  if (inputs.length > 0) {
    facts.push([trans.__('Inputs lie'), tallied(inputs)]);
  }
  if (outputs.length > 0) {
    facts.push([trans.__('Outputs lie'), tallied(outputs)]);
  }
  if (devices.length > 0) {
    facts.push([trans.__('Devices'), devices.join(', ')]);
  }
  return facts;
}

/** `2 × a; b`: each text once, in order of appearance. */
function tallied(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) {
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .map(([text, count]) => (count === 1 ? text : `${count} × ${text}`))
    .join('; ');
}
