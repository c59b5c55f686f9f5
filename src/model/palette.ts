import type { Tone } from './picture';

/** Colours of a picture, as in `exports/svg.py`. */
export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly quiet: string;
  readonly variable: string;
  readonly line: string;
  readonly frame: string;
  readonly tones: Readonly<Record<Tone, { fill: string; stroke: string }>>;
}

export const LIGHT: Palette = {
  paper: '#ffffff',
  ink: '#1c2330',
  quiet: '#525c6c',
  variable: '#0b5cad',
  line: '#767d89',
  frame: '#f4f6fa',
  tones: {
    plain: { fill: '#eef1f6', stroke: '#7d8798' },
    forward: { fill: '#e3eefc', stroke: '#3b78c4' },
    backward: { fill: '#fdeadd', stroke: '#c4692a' },
    argument: { fill: '#e2f4e8', stroke: '#2f8f56' },
    result: { fill: '#efe6fb', stroke: '#7b4bc2' },
    constant: { fill: '#fff3c4', stroke: '#8a6f00' },
    port: { fill: '#ffffff', stroke: '#7d8798' }
  }
};

export const DARK: Palette = {
  paper: '#14181f',
  ink: '#e8ecf3',
  quiet: '#a9b3c4',
  variable: '#7db8ff',
  line: '#8c96a8',
  frame: '#1b212b',
  tones: {
    plain: { fill: '#262d3a', stroke: '#77839a' },
    forward: { fill: '#1c3354', stroke: '#6ea8f0' },
    backward: { fill: '#47301f', stroke: '#f0a06a' },
    argument: { fill: '#1a3a28', stroke: '#63c78c' },
    result: { fill: '#35264f', stroke: '#b795f0' },
    constant: { fill: '#4a3f10', stroke: '#e0c040' },
    port: { fill: '#14181f', stroke: '#77839a' }
  }
};
