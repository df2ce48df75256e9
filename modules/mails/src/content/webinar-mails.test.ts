import { expect, test } from 'vitest';
import { changeSettings, defaultSettings, UpdateWebinarMailsInput } from './webinar-mails.ts';

const webinarId = '01a1fa00-44e8-743f-b362-6e80fc279e81';
const problemsOf = (change: object): string[] =>
  UpdateWebinarMailsInput.safeParse({ webinarId, ...change }).error?.issues.map(({ message }) => message) ??
  [];

test('an unknown variable is refused with its name', () => {
  expect(problemsOf({ kinds: { missed: { text: 'Hello {{nmae}}' } } })).toEqual([
    'There is no variable {{nmae}}.',
  ]);
  expect(problemsOf({ reminders: [{ minutesBefore: 5, subject: '{{sesionTime}}' }] })).toEqual([
    'There is no variable {{sesionTime}}.',
  ]);
});

test('subjects and names of senders have one line, and a reply address is one address', () => {
  for (const end of ['\r\nBcc: eve@example.com', '\u2028x', '\u0000']) {
    expect(problemsOf({ kinds: { missed: { subject: `Hello${end}x` } } }), end).not.toEqual([]);
    expect(problemsOf({ senderName: `Acme${end}x` }), end).not.toEqual([]);
    expect(problemsOf({ replyTo: `ada@example.com${end}x` }), end).not.toEqual([]);
  }
  expect(problemsOf({ replyTo: 'ada@example.com, eve@example.com' })).toEqual(['Not an e-mail address.']);
});

test('there are at most five reminders of different times', () => {
  const at = (...minutes: number[]): string[] =>
    problemsOf({ reminders: minutes.map((minutesBefore) => ({ minutesBefore })) });
  expect(at(1, 2, 3, 4, 5)).toEqual([]);
  expect(at(1, 2, 3, 4, 5, 6)).toEqual(['At most 5.']);
  expect(at(60, 60)).toEqual(['Two reminders have the same time.']);
  expect(at(-1)).toEqual(['Must be at least 0.']);
  expect(at(20_161)).toEqual(['Must be at most 20160.']);
});

test('a change leaves what it does not name', () => {
  const settings = defaultSettings(true);
  const changed = changeSettings(settings, {
    senderName: 'Acme',
    kinds: { missed: { subject: 'Sorry' } },
    reminders: [
      { minutesBefore: 5, enabled: true, subject: 'Soon', text: 'Soon' },
      { minutesBefore: 90, enabled: false, subject: 'Later', text: 'Later' },
    ],
  });
  expect(changed).toMatchObject({ enabled: true, senderName: 'Acme', replyTo: null });
  expect(changed.kinds.missed).toEqual({ ...settings.kinds.missed, subject: 'Sorry' });
  expect(changed.kinds.thank_you).toEqual(settings.kinds.thank_you);
  expect(changed.reminders.map(({ minutesBefore }) => minutesBefore)).toEqual([90, 5]);
});
