import { afterEach, describe, expect, it, vi } from 'vitest';
import { ENGLISH, speak } from '../model';
import type { JaxprDiff, Update } from '../protocol';
import { aListing, aSession, aTrace, place } from '../testing/records';
import { actions, cleanUp, showSession } from '../testing/screen';

afterEach(() => {
  speak(ENGLISH);
  cleanUp();
});

const aDiff = (fields: Partial<JaxprDiff> = {}): JaxprDiff => ({
  before: 'f1#1',
  after: 'f1#2',
  added: 1,
  removed: 0,
  changed: 2,
  resized: 1,
  same: 7,
  lines: [
    {
      sign: 'added',
      text: 'b = sin a',
      depth: 1,
      place: place(5),
      sizes_only: false
    },
    {
      sign: 'after',
      text: 'c:f32[4] = cos b',
      depth: 1,
      place: null,
      sizes_only: true
    }
  ],
  note: '',
  ...fields
});

describe('the comparison of the jaxprs', () => {
  const why = (update: Update, fields: Parameters<typeof actions>[0] = {}) => {
    const screen = showSession(update, { actions: actions(fields) });
    screen.get('tab', 'Arguments & constants').click();
    screen.paint();
    return screen;
  };

  it('is asked for, and leaves out what differs in sizes only', async () => {
    const compare = vi.fn(() => {
      screen.store.addDiff('s1', aDiff());
      return Promise.resolve();
    });
    const screen = why(aSession(), { compare });
    screen.get('button', 'Compare the two jaxprs').click();
    await Promise.resolve();
    screen.paint();
    expect(compare).toHaveBeenCalledExactlyOnceWith(
      's1',
      'f1#2',
      expect.any(AbortSignal)
    );
    expect(screen.get('tabpanel').textContent).toContain(
      '1 equation added, 1 changed, 1 with other types or sizes only, 7 the same.'
    );
    const lines = () =>
      [...screen.get('list', 'Changes of the jaxpr').children].map(
        line => line.textContent
      );
    expect(lines()).toEqual(['5+added b = sin a', '⋯']);
    screen.get('checkbox').click();
    screen.paint();
    expect(lines()).toHaveLength(2);
  });

  it('reads its signs out in the language of the user', () => {
    speak({ ...ENGLISH, __: text => text.toUpperCase() });
    const screen = showSession(aSession());
    screen.store.addDiff('s1', aDiff());
    screen.get('tab', 'ARGUMENTS & CONSTANTS').click();
    screen.paint();
    const lines = screen.get('list', 'CHANGES OF THE JAXPR');
    expect(lines.querySelector('.jtv-spoken')?.textContent).toBe('ADDED ');
  });

  it('says what it needs where there is no kernel', () => {
    const screen = why(aSession());
    const button = screen.get('button', 'Compare the two jaxprs');
    expect((button as HTMLButtonElement).disabled).toBe(true);
    expect(screen.get('tabpanel').textContent).toContain(
      'Comparing needs the kernel that recorded this.'
    );
  });

  it('is not offered for a first trace', () => {
    const screen = why(aSession({ selected: 'f1#1' }));
    expect(screen.all('button', 'Compare the two jaxprs')).toEqual([]);
  });
});

describe('a listing without its end', () => {
  const cut = () =>
    aSession({ selected: 'f1#1', listings: [aListing({ dropped: 7 })] });

  it('asks the kernel for more when told to', () => {
    const openPicture = vi.fn(() => new Promise<void>(() => undefined));
    const screen = showSession(cut(), { actions: actions({ openPicture }) });
    screen.get('tab', 'Jaxpr').click();
    screen.paint();
    expect(openPicture).not.toHaveBeenCalled();
    screen.get('button', 'Ask the kernel for more').click();
    expect(openPicture).toHaveBeenCalledExactlyOnceWith('s1', 'f1#1');
  });

  it('only says so where there is no kernel', () => {
    const screen = showSession(cut());
    screen.get('tab', 'Jaxpr').click();
    screen.paint();
    expect(screen.get('tabpanel').textContent).toContain('7 further lines');
    expect(screen.all('button', 'Ask the kernel for more')).toEqual([]);
  });
});

describe('an older trace', () => {
  const older = () => {
    const update = aSession({ selected: null });
    update.traces.push(aTrace({ id: 'f1#0', started: -1 }));
    return update;
  };

  it('has its picture asked for once', () => {
    const openPicture = vi.fn(() => new Promise<void>(() => undefined));
    const screen = showSession(older(), { actions: actions({ openPicture }) });
    screen.session().selection.show('f1', 'f1#0');
    screen.paint();
    screen.paint();
    expect(openPicture).toHaveBeenCalledExactlyOnceWith(
      's1',
      'f1#0',
      expect.any(AbortSignal)
    );
    screen.get('tab', 'Graph').click();
    screen.paint();
    expect(screen.get('tabpanel').textContent).toContain('Asking the kernel');
  });

  it('says what it needs where there is no kernel', () => {
    const screen = showSession(older());
    screen.session().selection.show('f1', 'f1#0');
    screen.get('tab', 'Jaxpr').click();
    screen.paint();
    expect(screen.get('tabpanel').textContent).toContain(
      'needs the kernel that recorded it'
    );
  });
});
