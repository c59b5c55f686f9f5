import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Signal } from '../../../store/signal';
import { follower } from './follower';

let stream: Signal;
let click: Signal;
let told: number;
let redraws: number[];
let view: EditorView;

beforeEach(() => {
  vi.useFakeTimers();
  [stream, click] = [new Signal(), new Signal()];
  told = 0;
  redraws = [];
  const extension = follower({
    stream,
    signals: [click],
    stamp: () => [told],
    redraw: () => redraws.push(Date.now())
  });
  view = new EditorView({
    state: EditorState.create({ extensions: extension })
  });
});

afterEach(() => {
  view.destroy();
  vi.useRealTimers();
});

/** What the kernel does while a cell traces without pause. */
function sendFor(milliseconds: number): void {
  for (let gone = 0; gone < milliseconds; gone += 10) {
    told += 1;
    stream.emit();
    vi.advanceTimersByTime(10);
  }
}

it('redraws an editor at most every 300 ms while the kernel sends more and more', () => {
  sendFor(3000);
  const pauses = redraws.slice(1).map((at, i) => at - (redraws[i] ?? 0));
  expect(redraws.length).toBeGreaterThan(5);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(300);
});

it('shows the last that the kernel sent', () => {
  sendFor(50);
  vi.advanceTimersByTime(1000);
  const before = redraws.length;
  stream.emit();
  vi.advanceTimersByTime(1000);
  expect(before).toBeGreaterThan(0);
  expect(redraws.length).toBe(before);
});

it('answers the user at once', () => {
  sendFor(50);
  const before = redraws.length;
  told += 1;
  click.emit();
  vi.advanceTimersByTime(20);
  expect(redraws.length).toBe(before + 1);
});

it('leaves an editor alone that a change is not about', () => {
  stream.emit();
  click.emit();
  vi.advanceTimersByTime(1000);
  expect(redraws).toEqual([]);
});
