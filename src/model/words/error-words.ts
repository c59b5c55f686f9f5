/** Why something failed, for the user: what was thrown may be anything. */
export function errorWords(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
