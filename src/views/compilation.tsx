import type { JSX } from 'preact';
import { formatBytes, formatCount, formatSeconds } from '../model';
import type { Compilation } from '../protocol';
import { Change } from './change';

const CACHE_WORDS: Record<Compilation['persistent_cache'], string> = {
  hit: 'loaded from the persistent compilation cache',
  miss: 'not in the persistent compilation cache',
  off: 'no persistent compilation cache is set'
};

const WRITE_WORDS: Record<Compilation['cache_write'], string> = {
  none: '',
  written: '; written to it',
  too_fast: '; compiled too fast to be written to it',
  not_written: '; not written to it'
};

/** What XLA made of a trace. */
export function CompilationFacts(props: {
  compilation: Compilation;
}): JSX.Element {
  const { compilation } = props;
  return (
    <section class="jtv-section">
      <h4>Compilation {compilation.id}</h4>
      <dl class="jtv-facts-list">
        <dt>Reason</dt>
        <dd>
          <ul>
            {compilation.reasons.map((reason, i) => (
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
      'Time',
      `lower ${formatSeconds(compilation.lower_seconds)}, compile ${formatSeconds(compilation.seconds)}`
    ],
    [
      'Cache',
      CACHE_WORDS[compilation.persistent_cache] +
        WRITE_WORDS[compilation.cache_write]
    ]
  ];
  if (flops !== null) {
    facts.push(['Operations', `${formatCount(flops)} flops per call`]);
  }
  if (accessed !== null) {
    facts.push(['Memory traffic', `${formatBytes(accessed)} per call`]);
  }
  for (const [name, bytes] of Object.entries(memory)) {
    facts.push([name, formatBytes(bytes)]);
  }
  const { in_shardings: inputs, out_shardings: outputs } = compilation;
  if (inputs.length > 0) {
    facts.push(['Inputs lie', tallied(inputs)]);
  }
  if (outputs.length > 0) {
    facts.push(['Outputs lie', tallied(outputs)]);
  }
  if (devices.length > 0) {
    facts.push(['Devices', devices.join(', ')]);
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
