import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Every word of the panel's own, in English: a host that speaks another language gives its own table. */
export const ENGLISH = {
  allFunctions: 'All functions',
  allRecordings: 'All recordings',
  back: 'Back to what was shown before (Alt+Left)',
  bakedIn: 'Baked in',
  chooseTwo: 'Tick two recordings to see them side by side.',
  clear: 'Clear: take the recordings out of this panel. Cells keep theirs.',
  clearSearch: 'Clear the search',
  compare: 'Compare',
  export: 'Export this recording',
  findings: 'Findings',
  forward: 'Forward again (Alt+Right)',
  functions: 'Functions',
  goOn: 'Go on with the view',
  help: 'Keys, signs and words (?)',
  noFindings: '✓ Nothing that deserves attention.',
  noFunctionMatches: 'No function matches “%1”.',
  nothingBakedIn: 'No array from outside became part of a program.',
  nothingTraced: 'Nothing was traced.',
  onlyOne: 'When a second cell was recorded, the two can be compared.',
  openNotebook: 'Open a notebook to see its traces.',
  pause: 'Pause the view; recording goes on',
  paused: 'The view is paused.',
  pausedWaiting: 'The view is paused; something new was recorded.',
  recordAll: 'Record all cells',
  recording: 'Recording',
  search: 'Search',
  searchFunctions: 'Search functions',
  sessions: 'Sessions',
  settings: 'Settings',
  showMarks: 'Marks in cells',
  stack: 'Where traces come from',
  timeline: 'Timeline of the notebook',
  took: 'Took',
  trace: 'Trace',
  traced: 'Traced'
} as const;

export type Words = Readonly<Record<keyof typeof ENGLISH, string>>;

/** The table in another language. */
export function wordsIn(translate: (english: string) => string): Words {
  return Object.fromEntries(
    Object.entries(ENGLISH).map(([key, english]) => [key, translate(english)])
  ) as Words;
}

export const WordsContext = createContext<Words>(ENGLISH);

export function useWords(): Words {
  return useContext(WordsContext);
}
