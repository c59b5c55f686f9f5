import type { ConsolePanel, IConsoleTracker } from '@jupyterlab/console';

/** Calls back for every console that is open, and later for each that is opened. */
export function forEachConsole(
  tracker: IConsoleTracker | null,
  callback: (panel: ConsolePanel) => void
): void {
  tracker?.forEach(callback);
  tracker?.widgetAdded.connect((_, panel) => {
    callback(panel);
  });
}

/** Whether one of the cells in a console, or the one that is written in, has an id. */
export function hasConsoleCell({ console }: ConsolePanel, id: string): boolean {
  return (
    console.promptCell?.model.id === id ||
    [...console.cells].some(cell => cell.model.id === id)
  );
}
