import type { OtherVersion } from '../protocol';

/**
 * How a notebook stands with its kernel:
 * - `none`: it has no kernel
 * - `foreign`: it has one that runs no Python
 * - `dead`: its kernel died
 * - `asking`: nothing is known yet
 * - `absent`: the kernel has not loaded our package
 * - `unreadable`: it has loaded another version of our package, whose messages we cannot read
 * - `connected`: it answers
 */
export type ConnectionStatus =
  | 'none'
  | 'foreign'
  | 'dead'
  | 'asking'
  | 'absent'
  | 'unreadable'
  | 'connected';

/** As long as these hold, no kernel goes on with what was recorded. */
export const NO_KERNEL: ReadonlySet<ConnectionStatus> = new Set([
  'none',
  'foreign',
  'dead',
  'absent'
]);

export interface Connection {
  readonly status: ConnectionStatus;
  /** Whether the kernel records every cell. */
  readonly recording: boolean;
  /** Set where the kernel's package is of another version than ours that may not fit. */
  readonly otherVersion: OtherVersion | null;
  /** Whether a request waits until the running cell ends. */
  readonly late: boolean;
}

export const UNKNOWN: Connection = {
  status: 'asking',
  recording: false,
  otherVersion: null,
  late: false
};
