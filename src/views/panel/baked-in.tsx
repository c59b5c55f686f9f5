import type { JSX } from 'preact';
import {
  BAKED_IN,
  BakedIn,
  bakedIn,
  counted,
  focusOf,
  formatBytes,
  trans
} from '../../model';
import type { Session } from '../../store';
import { Columns } from '../columns';
import { Glyph } from '../glyph';

/** Rows listed; the others are counted. */
const MOST = 50;

/** `2 · 4 MB`: how many arrays were baked in, and how large. */
export function bakedInNote({ recording }: Session): string {
  const all = bakedIn(recording);
  return all.length === 0 ? '0' : `${all.length} · ${formatBytes(sumOf(all))}`;
}

function sumOf(all: readonly BakedIn[]): number {
  return all.reduce((sum, { constant }) => sum + constant.bytes, 0);
}

/** What became part of any program, the largest first. */
export function BakedInList({ session }: { session: Session }): JSX.Element {
  const { recording, selection } = session;
  const all = bakedIn(recording);
  const { trace } = focusOf(session);
  if (all.length === 0) {
    return (
      <p class="jtv-note">
        {trans.__('No array from outside became part of a program.')}
      </p>
    );
  }
  return (
    <>
      <table class="jtv-table" aria-label={trans.__('Baked in')}>
        <Columns
          names={[
            trans.__('Name'),
            trans.__('Function'),
            trans.__('Type'),
            trans.__('Size')
          ]}
        />
        <tbody>
          {all.slice(0, MOST).map(one => (
            <tr key={one.key}>
              <th scope="row">
                <Glyph sign={BAKED_IN} />{' '}
                <code>{one.constant.name ?? trans.__('no name')}</code>
              </th>
              <td>
                <button
                  type="button"
                  class="jtv-link"
                  aria-pressed={trace?.id === one.trace}
                  onClick={() => selection.show(one.fn, one.trace)}
                >
                  <code>{recording.functions.get(one.fn)?.name}</code>
                </button>
                {one.traces > 1 ? ` ×${one.traces}` : ''}
              </td>
              <td>
                <code>{one.constant.type}</code>
              </td>
              <td class="jtv-cost">{formatBytes(one.constant.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {all.length > MOST ? (
        <p class="jtv-note">
          {trans.__('and %1', counted(all.length - MOST, 'smaller array'))}
        </p>
      ) : null}
    </>
  );
}
