export const CommandIDs = {
  insertMagic: 'jax-trace:insert-magic',
  openPanel: 'jax-trace:open-panel',
  recordAll: 'jax-trace:record-all',
  toggleMarks: 'jax-trace:toggle-marks'
} as const;

/** Where the commands stand in the palette. */
export const CATEGORY = 'JAX';
