/**
 * How a notebook stands with its kernel:
 * - `none`: it has no kernel, or one that runs no Python
 * - `asking`: nothing is known yet
 * - `absent`: the kernel has not loaded our package
 * - `connected`: it answers
 */
export type ConnectionStatus = 'none' | 'asking' | 'absent' | 'connected';

export interface Connection {
  readonly status: ConnectionStatus;
  /** Whether the kernel records every cell. */
  readonly recording: boolean;
}

export const UNKNOWN: Connection = { status: 'asking', recording: false };
