export const CommandIDs = {
  openPanel: 'jax-trace:open-panel',
  toggleMarks: 'jax-trace:toggle-marks'
} as const;

/** Where the commands stand in the palette. */
export const CATEGORY = 'JAX';
