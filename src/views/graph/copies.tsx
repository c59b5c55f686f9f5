import type { JSX } from 'preact';
import { formatCount, trans } from '../../model';
import type { Box } from '../../protocol';

/** Up to so many copies are listed by name. */
const LISTED = 100;

/** Chooses which of a plate's equal copies is drawn. */
export function CopyPicker(props: {
  box: Box;
  show: (copy: number) => void;
}): JSX.Element {
  const { box, show } = props;
  const { repeat, shown, copies } = box;
  const pick = (event: { currentTarget: { value: string } }): void => {
    const copy = Number(event.currentTarget.value) - 1;
    if (Number.isInteger(copy) && copy >= 0 && copy < repeat) {
      show(copy);
    }
  };
  return (
    <label class="jtv-copies">
      <span>{trans.__('Copy')}</span>
      {repeat <= LISTED ? (
        <select value={shown + 1} onChange={pick}>
          {Array.from({ length: repeat }, (_, i) => (
            <option key={i} value={i + 1}>
              {copies[i] ? `${i + 1}: ${copies[i]}` : i + 1}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="number"
          min={1}
          max={repeat}
          value={shown + 1}
          onChange={pick}
        />
      )}
      <span>{trans.__('of %1', formatCount(repeat))}</span>
    </label>
  );
}
