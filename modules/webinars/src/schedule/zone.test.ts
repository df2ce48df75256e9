import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { formatLocal, fromWall, offsetAt } from './zone.ts';

const at = (text: string): number => Date.parse(text);
const inZone = (timezone: string, local: string): string =>
  new Date(fromWall(timezone, at(`${local}Z`))).toISOString().slice(0, 16);

test.each([
  ['Europe/Berlin', '2026-03-28T09:00', '2026-03-28T08:00'],
  ['Europe/Berlin', '2026-03-29T09:00', '2026-03-29T07:00'],
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30'],
  ['Europe/Berlin', '2026-10-25T09:00', '2026-10-25T08:00'],
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30'],
  ['Asia/Kathmandu', '2026-06-01T09:00', '2026-06-01T03:15'],
  ['Pacific/Chatham', '2026-06-01T09:00', '2026-05-31T20:15'],
  ['Pacific/Chatham', '2026-12-01T09:00', '2026-11-30T19:15'],
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45'],
  ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45'],
])('in %s the clock shows %s at %s UTC', (timezone, local, utc) => {
  expect(inZone(timezone, local)).toBe(utc);
});

test('for every quarter of an hour of a year, the instant agrees with Temporal', () => {
  const zones = [
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'America/Santiago',
    'Asia/Beirut',
  ];
  for (const timezone of zones) {
    for (let wall = at('2026-01-01T00:00Z'); wall < at('2027-01-01T00:00Z'); wall += 900_000) {
      const plain = Temporal.PlainDateTime.from(new Date(wall).toISOString().slice(0, 19));
      const expected = plain.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
      if (fromWall(timezone, wall) !== expected) expect(`${timezone} ${plain.toString()}`).toBe('agreed');
    }
  }
});

test('an offset changes at the exact minute of the clock change', () => {
  const change = at('2026-10-25T01:00Z');
  expect(offsetAt('Europe/Berlin', change - 1)).toBe(7_200_000);
  expect(offsetAt('Europe/Berlin', change)).toBe(3_600_000);
});

test('a local time has its offset', () => {
  expect(formatLocal('Asia/Kathmandu', at('2026-12-01T17:00Z'))).toBe('2026-12-01T22:45:00+05:45');
  expect(formatLocal('America/St_Johns', at('2026-12-01T17:00Z'))).toBe('2026-12-01T13:30:00-03:30');
  expect(formatLocal('UTC', at('2026-12-01T17:00Z'))).toBe('2026-12-01T17:00:00+00:00');
});
