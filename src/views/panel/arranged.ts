import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Arranged } from '../../store';

/** How the panel is arranged, for the views in it; null in cell outputs. */
export const ArrangedContext = createContext<Arranged | null>(null);

export function useArranged(): Arranged | null {
  return useContext(ArrangedContext);
}
