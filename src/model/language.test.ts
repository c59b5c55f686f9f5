import { afterEach, expect, it } from 'vitest';
import { ENGLISH, speak, trans } from './language';

afterEach(() => speak(ENGLISH));

it('puts values where they stand in the text, and keeps percent signs', () => {
  expect(trans.__('%1 of %2', 3, 'five')).toBe('3 of five');
  expect(trans.__('%%%%jaxtrace')).toBe('%%jaxtrace');
});

it('says it in the language that a host tells', () => {
  speak({ __: text => text.toUpperCase() });
  expect(trans.__('Trace')).toBe('TRACE');
});
