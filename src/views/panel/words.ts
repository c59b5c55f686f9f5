import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Every word of the panel's own, in English: a host that speaks another language gives its own table. */
export const ENGLISH = {
  allFunctions: 'All functions',
  allWords: 'All words',
  allRecordings: 'All recordings',
  back: 'Back to what was shown before (Alt+Left)',
  bakedIn: 'Baked in',
  chooseTwo: 'Tick two recordings to see them side by side.',
  clear: 'Clear: take the recordings out of this panel. Cells keep theirs.',
  clearSearch: 'Clear the search',
  closeHelp: 'Close help',
  compare: 'Compare',
  export: 'Export this recording',
  exportChrome: 'Chrome trace',
  exportHolds:
    'Files hold your source lines and the shapes of arguments, not the values of arrays.',
  exportHtml: 'HTML report',
  exportJson: 'JSON document',
  exportSvg: 'SVG of the graph',
  exporting: 'The kernel makes the file…',
  findings: 'Findings',
  forward: 'Forward again (Alt+Right)',
  functions: 'Functions',
  gotIt: 'Got it',
  goOn: 'Go on with the view',
  help: 'Keys, signs and words (?)',
  needsKernel: 'Needs the kernel that recorded it.',
  late: 'The kernel is busy, and has no subshell for this: what you ask for is answered when the cell ends.',
  hint: 'Click a line, a box or an equation, and the others light up. Press ? for keys and words.',
  noFindings: '✓ No findings.',
  noFunctionMatches: 'No function matches “%1”.',
  noGraph: 'There is no graph of the trace that is shown.',
  nothingBakedIn: 'No array from outside became part of a program.',
  nothingTraced: 'Nothing was traced.',
  onlyOne: 'When a second cell was recorded, the two can be compared.',
  openNotebook: 'Open a notebook or a console to see its traces.',
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
  signs: 'Signs',
  stack: 'Where traces come from',
  timeline: 'Timeline of the notebook',
  took: 'Took',
  trace: 'Trace',
  traced: 'Traced',
  wordsTitle: 'Words'
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
