import { Words, trans } from '../words/language';
import { BAKED_IN, FAILED, HIT, RETRACE, Sign, markSign } from '../words/words';

/** A word that has a meaning of its own here. `docs/glossary.md` says the same. */
export interface Term {
  /** In English, by which it is found. */
  readonly word: string;
  readonly said: Words;
  readonly meaning: Words;
}

/** In the order in which one needs them. */
export const GLOSSARY: readonly Term[] = [
  {
    word: 'trace',
    said: () => trans.__('trace'),
    meaning: () =>
      trans.__(
        'One run of the Python body of a function, by which JAX finds out what it computes. Later calls do not run Python.'
      )
  },
  {
    word: 'train #3',
    said: () => trans.__('train #3'),
    meaning: () =>
      trans.__(
        'The third trace of the function train in this recording; c5 is a compilation.'
      )
  },
  {
    word: 'retrace',
    said: () => trans.__('retrace'),
    meaning: () =>
      trans.__(
        'A trace though an earlier one was there, because some part of the cache key differs: a shape, a dtype, a static value.'
      )
  },
  {
    word: 'hit',
    said: () => trans.__('hit'),
    meaning: () =>
      trans.__(
        'A call that an earlier trace answers: no Python of the function runs, and nothing is compiled.'
      )
  },
  {
    word: 'traced',
    said: () => trans.__('traced'),
    meaning: () =>
      trans.__(
        'JAX knows the shape and the dtype of the value while it traces, not the value itself.'
      )
  },
  {
    word: 'static',
    said: () => trans.__('static'),
    meaning: () =>
      trans.__(
        'An ordinary Python value, known while tracing. Another value of a static argument means another trace.'
      )
  },
  {
    word: 'baked in',
    said: () => trans.__('baked in'),
    meaning: () =>
      trans.__(
        'An array from outside that became a constant of the program. Changing the name later changes nothing in it.'
      )
  },
  {
    word: '∂',
    said: () => '∂',
    meaning: () =>
      trans.__(
        'Beside the type of a traced value: it is differentiated here, as under grad. vmap×8 says that it is mapped, 8 at once.'
      )
  },
  {
    word: 'lowering',
    said: () => trans.__('lowering'),
    meaning: () =>
      trans.__('The step from the jaxpr to the language of XLA, after a trace.')
  },
  {
    word: 'compilation',
    said: () => trans.__('compilation'),
    meaning: () =>
      trans.__(
        'What XLA does with the lowered program for this device. Usually the slowest step.'
      )
  },
  {
    word: 'cost',
    said: () => trans.__('cost'),
    meaning: () =>
      trans.__(
        'The time to trace, lower and compile, not to run. It includes what was traced inside.'
      )
  },
  {
    word: 'cache key',
    said: () => trans.__('cache key'),
    meaning: () =>
      trans.__(
        'What JAX compares to find an earlier trace: types of arguments, static values, pytree structure, settings.'
      )
  },
  {
    word: 'weak type',
    said: () => trans.__('weak type'),
    meaning: () =>
      trans.__(
        'The type of a plain Python number, written f32[]~. It gives way to the type of what it meets.'
      )
  },
  {
    word: 'jaxpr',
    said: () => trans.__('jaxpr'),
    meaning: () =>
      trans.__(
        'The program that a trace makes: a list of equations, each one operation with its inputs and outputs.'
      )
  },
  {
    word: 'pytree',
    said: () => trans.__('pytree'),
    meaning: () =>
      trans.__(
        'Nested dicts, lists, tuples and modules that hold arrays. Its structure is a part of the cache key.'
      )
  },
  {
    word: 'recording',
    said: () => trans.__('recording'),
    meaning: () =>
      trans.__('What was seen while one cell ran, also called a session.')
  },
  {
    word: 'finding',
    said: () => trans.__('finding'),
    meaning: () =>
      trans.__(
        'Something in a recording that deserves attention, with what usually helps.'
      )
  }
];

export function meaningOf(word: string): string {
  return GLOSSARY.find(term => term.word === word)?.meaning() ?? '';
}

/** Every sign, with its word. */
export const LEGEND: readonly Sign[] = [
  markSign('traced'),
  markSign('static'),
  BAKED_IN,
  RETRACE,
  HIT,
  FAILED
];

/** Keys by where they work. */
export const KEYS: readonly {
  readonly where: Words;
  readonly keys: readonly (readonly [string, Words])[];
}[] = [
  {
    where: () => trans.__('Everywhere'),
    keys: [
      ['?', () => trans.__('this help')],
      ['Esc', () => trans.__('let go of what is selected')],
      [
        'Alt+← Alt+→',
        () => trans.__('back and forward through what you looked at')
      ]
    ]
  },
  {
    where: () => trans.__('Tabs, lists, trees'),
    keys: [
      ['← → ↑ ↓', () => trans.__('move')],
      ['Home End', () => trans.__('first and last')],
      ['Enter', () => trans.__('select or open')]
    ]
  },
  {
    where: () => trans.__('Graph'),
    keys: [
      ['← → ↑ ↓', () => trans.__('follow the lines')],
      ['Enter', () => trans.__('open or close a group')],
      ['Space', () => trans.__('select')],
      ['+ − 0', () => trans.__('zoom')]
    ]
  },
  {
    where: () => trans.__('Timeline'),
    keys: [
      ['W S', () => trans.__('zoom')],
      ['A D', () => trans.__('pan')],
      ['F 0', () => trans.__('fit what is selected, fit all')]
    ]
  }
];
