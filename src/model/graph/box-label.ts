import type { Box } from '../../protocol';

/** A box's first line. */
export function labelOf({ name, label }: Pick<Box, 'name' | 'label'>): string {
  return name ? `${name} = ${label}` : label;
}
