import { BAKED_IN, FAILED, RETRACE, Sign, markSign } from '../words';

/** A word that has a meaning of its own here. `docs/glossary.md` says the same. */
export interface Term {
  readonly word: string;
  readonly meaning: string;
}

/** In the order in which one needs them. */
export const GLOSSARY: readonly Term[] = [
  {
    word: 'trace',
    meaning:
      'One run of the Python body of a function, by which JAX finds out what it computes. Later calls do not run Python.'
  },
  {
    word: 'retrace',
    meaning:
      'A trace though an earlier one was there, because some part of the cache key differs: a shape, a dtype, a static value.'
  },
  {
    word: 'hit',
    meaning:
      'A call that an earlier trace answers: no Python of the function runs, and nothing is compiled.'
  },
  {
    word: 'traced',
    meaning:
      'JAX knows the shape and the dtype of the value while it traces, not the value itself.'
  },
  {
    word: 'static',
    meaning:
      'An ordinary Python value, known while tracing. Another value of a static argument means another trace.'
  },
  {
    word: 'baked in',
    meaning:
      'An array from outside that became a constant of the program. Changing the name later changes nothing in it.'
  },
  {
    word: 'lowering',
    meaning: 'The step from the jaxpr to the language of XLA, after a trace.'
  },
  {
    word: 'compilation',
    meaning:
      'What XLA does with the lowered program for this device. Mostly the dearest step.'
  },
  {
    word: 'cost',
    meaning:
      'The time to trace, lower and compile, not to run. It includes what was traced inside.'
  },
  {
    word: 'cache key',
    meaning:
      'What JAX compares to find an earlier trace: types of arguments, static values, pytree structure, settings.'
  },
  {
    word: 'weak type',
    meaning:
      'The type of a plain Python number, written f32[]~. It gives way to the type of what it meets.'
  },
  {
    word: 'jaxpr',
    meaning:
      'The program that a trace makes: a list of equations, each one operation with its inputs and outputs.'
  },
  {
    word: 'pytree',
    meaning:
      'Nested dicts, lists, tuples and modules that hold arrays. Its structure is a part of the cache key.'
  },
  {
    word: 'recording',
    meaning: 'What was seen while one cell ran, also called a session.'
  },
  {
    word: 'finding',
    meaning:
      'Something in a recording that deserves attention, with what usually helps.'
  }
];

export function meaningOf(word: string): string {
  return GLOSSARY.find(term => term.word === word)?.meaning ?? '';
}

/** Every sign, with its word. */
export const LEGEND: readonly Sign[] = [
  markSign('traced'),
  markSign('static'),
  BAKED_IN,
  RETRACE,
  { glyph: '✓', word: 'cache hit', tone: 'neutral' },
  FAILED
];

/** Keys by where they work. */
export const KEYS: readonly {
  readonly where: string;
  readonly keys: readonly (readonly [string, string])[];
}[] = [
  {
    where: 'Everywhere',
    keys: [
      ['?', 'this help'],
      ['Esc', 'let go of what is selected'],
      ['Alt+← Alt+→', 'back and forward through what you looked at']
    ]
  },
  {
    where: 'Tabs, lists, trees',
    keys: [
      ['← → ↑ ↓', 'move'],
      ['Home End', 'first and last'],
      ['Enter', 'select or open']
    ]
  },
  {
    where: 'Graph',
    keys: [
      ['← → ↑ ↓', 'follow the lines'],
      ['Enter', 'open or close a group'],
      ['Space', 'select'],
      ['+ − 0', 'zoom']
    ]
  },
  {
    where: 'Timeline',
    keys: [
      ['W S', 'zoom'],
      ['A D', 'pan'],
      ['F 0', 'fit what is selected, fit all']
    ]
  }
];
