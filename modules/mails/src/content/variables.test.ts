import { expect, test } from 'vitest';
import { facts } from './facts.fixture.ts';
import { fillIn, fillInLines, unknownVariables } from './variables.ts';

test('every variable is replaced once, so a value that looks like a variable stays', () => {
  const person = { ...facts, attendee: { ...facts.attendee, name: '{{joinLink}} {{name}}' } };
  expect(fillIn('Hello {{ name }} of {{workspaceName}}', person)).toBe('Hello {{joinLink}} {{name}} of Acme');
});

test('variables that do not exist are named once, also those that every object has', () => {
  expect(unknownVariables('{{nmae}} {{name}} {{nmae}} {{constructor}} {{}}')).toEqual([
    'nmae',
    'constructor',
    '',
  ]);
});

test('a line with a variable that has no value is left out', () => {
  const text = 'Hello {{name}},\n\nReplay: {{replayLink}}\n\nBye';
  expect(fillInLines(text, facts)).toBe('Hello Ada Lovelace,\n\nReplay: https://example.com/room/t\n\nBye');
  const without = { ...facts, links: { ...facts.links, replay: undefined } };
  expect(fillInLines(text, without)).toBe('Hello Ada Lovelace,\n\nBye');
});

test('a name has one line and no link', () => {
  const named = (name: string): string =>
    fillIn('{{name}}', { ...facts, attendee: { ...facts.attendee, name } });
  expect(named('Ada\r\nBcc: eve@example.com')).toBe('Ada Bcc: eve@example.com');
  expect(named('Win now https://evil.example')).toBe('');
  expect(named('Visit WWW.evil.example')).toBe('');
});

/** A time in a mail to somebody in a zone. */
const describeTime = (startsAt: Date, timezone: string): string =>
  fillIn('{{sessionTime}}', { ...facts, session: { ...facts.session, startsAt }, timezone });

/** The wait in a mail. */
const describeWait = (waitMs: number): string =>
  fillIn('{{timeUntilStart}}', { ...facts, now: new Date(facts.session.startsAt.getTime() - waitMs) });

test('a time is written in its zone, with the name of the zone on that day', () => {
  const before = new Date('2026-11-01T05:30:00Z');
  const after = new Date('2026-11-01T06:30:00Z');
  expect(describeTime(before, 'America/New_York')).toBe(
    'Sunday, 1 November 2026 at 01:30 (Eastern Daylight Time)',
  );
  expect(describeTime(after, 'America/New_York')).toBe(
    'Sunday, 1 November 2026 at 01:30 (Eastern Standard Time)',
  );
  expect(describeTime(new Date('2026-12-01T18:20:00Z'), 'Asia/Kathmandu')).toContain(
    '2 December 2026 at 00:05',
  );
  expect(describeTime(new Date('2026-09-26T13:59:00Z'), 'Pacific/Auckland')).toContain(
    '27 September 2026 at 01:59',
  );
  expect(describeTime(new Date('2026-09-26T14:00:00Z'), 'Pacific/Auckland')).toContain(
    '27 September 2026 at 03:00',
  );
});

test('a wait is rounded to whole minutes, hours and days', () => {
  const minutes = (count: number): string => describeWait(count * 60_000);
  expect(minutes(1)).toBe('1 minute');
  expect(minutes(59.7)).toBe('1 hour');
  expect(minutes(1440)).toBe('24 hours');
  expect(minutes(2880)).toBe('2 days');
  expect(minutes(0)).toBe('');
  expect(minutes(-5)).toBe('');
});
