import { expect, it } from 'vitest';
import { markSign } from '../words/words';
import { Form, Forms } from './forms';

/** Counts how often its value is looked at. */
class Counted implements Form {
  static looks = 0;
  readonly sign = markSign('static');
  readonly type = 'int';
  readonly tag = '';
  readonly details = [];
  readonly parts = [];
  readonly traces: string[];
  readonly within: string[];

  constructor(
    readonly text: string,
    trace: number
  ) {
    this.traces = this.within = [`f1#${trace}`];
  }

  get value(): string {
    Counted.looks += 1;
    return this.text;
  }
}

it('looks at what a name was in a trace once, however many traces there are', () => {
  const forms = new Forms();
  for (let trace = 0; trace < 1000; trace++) {
    forms.add('n', new Counted(String(trace % 500), trace));
  }
  expect(Counted.looks).toBe(1000);
  const [mark] = forms.marks();
  expect(mark?.forms.length).toBe(500);
  expect(mark?.forms[0].text).toBe('499');
  expect(mark?.forms[0].traces).toEqual(['f1#499', 'f1#999']);
});
