import { afterEach, beforeEach, expect, it } from 'vitest';
import { ENGLISH, Language, speak } from '../model';
import { SessionStore } from '../store';
import { aSession } from '../testing/records';
import { Screen, cleanUp, press, showPanel } from '../testing/screen';

/** A language whose words one knows by their brackets. */
const BRACKETS: Language = {
  __: (text, ...values) => `‹${ENGLISH.__(text, ...values)}›`
};

beforeEach(() => speak(BRACKETS));
afterEach(() => {
  speak(ENGLISH);
  cleanUp();
});

/** What a person reads on what he can press, and above what he reads. */
function untranslated(screen: Screen): string[] {
  const selector =
    'h3, h4, label, th[scope="col"], [role="tab"], .jtv-button, .jtv-note, .jtv-toolbar button, .jtv-tools button';
  return [...screen.node.querySelectorAll(selector)]
    .map(node => node.textContent || (node.ariaLabel ?? ''))
    .filter(text => /[A-Za-z]{2,}/.test(text) && !text.includes('‹'));
}

it('says everything in the language of the user, in each view', () => {
  const store = new SessionStore();
  store.put(aSession({ selected: 'f1#2' }), 'kernel');
  const screen = showPanel(store);
  expect(screen.all('tab').length).toBeGreaterThan(3);
  for (const tab of screen.all('tab')) {
    tab.click();
    screen.paint();
    expect(untranslated(screen)).toEqual([]);
  }
  press(screen.all('tab')[0] ?? screen.node, '?');
  screen.paint();
  expect(untranslated(screen)).toEqual([]);
});

it('says what to do first in the language of the user', () => {
  const store = new SessionStore();
  for (const status of ['none', 'absent', 'connected', 'dead'] as const) {
    store.setStatus(status);
    const screen = showPanel(store);
    expect(untranslated(screen)).toEqual([]);
  }
});
