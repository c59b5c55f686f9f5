import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DARK, LIGHT } from '../model/graph/palette';

const sheet = readFileSync('style/variables.css', 'utf8');

/** JupyterLab's own backgrounds, on which the colours stand. */
const PAPER = ['#ffffff', '#212121'] as const;
const SHADE = ['#eeeeee', '#424242'] as const;

/** A variable's fallback pair, light and dark. */
function pair(name: string): readonly [string, string] {
  const found = new RegExp(
    `--jtv-${name}:[^;]*light-dark\\((#\\w+), (#\\w+)\\)`
  ).exec(sheet);
  if (!found?.[1] || !found[2]) {
    throw new Error(`--jtv-${name} is no pair of colours`);
  }
  return [long(found[1]), long(found[2])];
}

/** `#abc` as `#aabbcc`. */
function long(colour: string): string {
  return colour.length === 4 ? colour.replace(/[\da-f]/g, '$&$&') : colour;
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const channel = parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045
      ? channel / 12.92
      : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

const themes = [
  ['light', 0],
  ['dark', 1]
] as const;

describe.each(themes)('in the %s theme', (_, theme) => {
  const tokens = [...sheet.matchAll(/--jtv-(token-\w+):/g)].map(
    m => m[1] ?? ''
  );

  it.each(['traced', 'static', 'constant', 'retrace', 'neutral', ...tokens])(
    '%s can be read as text',
    name => {
      expect(contrast(pair(name)[theme], PAPER[theme])).toBeGreaterThan(4.5);
    }
  );

  it.each(['traced', 'static', 'constant', 'retrace'])(
    '%s can be told from a shaded background',
    name => {
      expect(contrast(pair(name)[theme], SHADE[theme])).toBeGreaterThan(3);
    }
  );

  it.each(['plain', 'forward', 'backward', 'argument', 'result'])(
    'a box that is %s has a visible border and readable text',
    name => {
      const fill = pair(name)[theme];
      expect(
        contrast(pair(`${name}-line`)[theme], PAPER[theme])
      ).toBeGreaterThan(3);
      expect(contrast(pair('ink')[theme], fill)).toBeGreaterThan(4.5);
      expect(contrast(pair('variable')[theme], fill)).toBeGreaterThan(4.5);
    }
  );

  it('the name of a phase can be read on its bar', () => {
    const ink = pair('ink')[theme];
    expect(contrast(ink, pair('trace')[theme])).toBeGreaterThan(4.5);
    expect(contrast(ink, pair('lower')[theme])).toBeGreaterThan(4.5);
    expect(
      contrast(pair('on-compile')[theme], pair('compile')[theme])
    ).toBeGreaterThan(4.5);
  });

  it('a saved picture has the colours of the live one', () => {
    const saved = [LIGHT, DARK][theme];
    for (const [tone, { fill, stroke }] of Object.entries(saved?.tones ?? {})) {
      if (tone !== 'port') {
        const name = tone === 'constant' ? 'constant-box' : tone;
        expect([pair(name)[theme], pair(`${name}-line`)[theme]]).toEqual([
          fill,
          stroke
        ]);
      }
    }
    expect(pair('edge-line')[theme]).toBe(saved?.line);
    expect(pair('frame')[theme]).toBe(saved?.frame);
    expect(pair('variable')[theme]).toBe(saved?.variable);
  });
});
