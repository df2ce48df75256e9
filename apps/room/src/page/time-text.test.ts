import { expect, test } from 'vitest';
import {
  formatClock,
  formatDay,
  formatRange,
  formatWait,
  isSameClock,
  nameCity,
  nameZone,
  splitWait,
  varietyOf,
} from './time-text.ts';

const at = (iso: string): Date => new Date(iso);
const now = at('2026-11-25T12:00:00Z');
const style = (zone: string, language = 'en-US') => ({ zone, language });
/** Browsers write narrow spaces that a reader of this test cannot see. */
const plain = (text: string): string => text.replaceAll(/[\u2009\u202F\u00A0]/g, ' ');

test('one session has the day, the clock and the name of each zone', () => {
  const session = at('2026-12-03T17:00:00Z');
  const textsOf = (zone: string, language?: string) => [
    formatDay(session, style(zone, language), now),
    plain(formatClock(session, style(zone, language))),
    nameZone(session, style(zone, language)),
  ];
  expect(textsOf('Pacific/Auckland')).toEqual([
    'Friday, December 4',
    '6:00 AM',
    'New Zealand Daylight Time (GMT+13)',
  ]);
  expect(textsOf('Asia/Kathmandu')).toEqual(['Thursday, December 3', '10:45 PM', 'Nepal Time (GMT+5:45)']);
  expect(textsOf('America/New_York')).toEqual([
    'Thursday, December 3',
    '12:00 PM',
    'Eastern Standard Time (GMT-5)',
  ]);
  expect(textsOf('Europe/Berlin', 'de')).toEqual([
    'Donnerstag, 3. Dezember',
    '18:00',
    'Mitteleuropäische Normalzeit (GMT+1)',
  ]);
  expect(nameCity(session, style('America/New_York'))).toBe('New York (GMT-5)');
  expect(nameCity(session, style('Asia/Calcutta'))).toBe('Kolkata (GMT+5:30)');
  expect(formatDay(at('2027-01-02T09:00:00Z'), style('UTC'), now)).toBe('Saturday, January 2, 2027');
});

test('a change of clocks moves the clock and the name of the zone, also within a session', () => {
  // New York leaves summer time on 1 November 2026 at 06:00 UTC, Auckland begins it on 26 September at 14:00 UTC.
  const before = style('America/New_York');
  expect(plain(formatClock(at('2026-11-01T05:30:00Z'), before))).toBe('1:30 AM');
  expect(plain(formatClock(at('2026-11-01T06:30:00Z'), before))).toBe('1:30 AM');
  expect(nameZone(at('2026-11-01T05:30:00Z'), before)).toBe('Eastern Daylight Time (GMT-4)');
  expect(nameZone(at('2026-11-01T06:30:00Z'), before)).toBe('Eastern Standard Time (GMT-5)');
  expect(nameZone(at('2026-11-01T05:30:00Z'), before, at('2026-11-08T06:30:00Z'))).toBe('Eastern Time');
  expect(
    plain(formatRange(at('2026-09-26T13:30:00Z'), at('2026-09-26T14:30:00Z'), style('Pacific/Auckland'))),
  ).toBe('1:30 – 3:30 AM');
  expect(isSameClock(at('2026-10-20T12:00:00Z'), 'Europe/Berlin', 'Africa/Johannesburg')).toBe(true);
  expect(isSameClock(at('2026-10-26T12:00:00Z'), 'Europe/Berlin', 'Africa/Johannesburg')).toBe(false);
});

test('a wait is shown in whole parts and ends at zero', () => {
  expect(splitWait(((2 * 24 + 3) * 60 * 60 + 4 * 60 + 5) * 1000)).toEqual({
    days: 2,
    hours: 3,
    minutes: 4,
    seconds: 5,
  });
  expect(splitWait(-5000)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
  expect([formatWait(725_000), formatWait(3_725_000), formatWait(1)]).toEqual(['12:05', '1:02:05', '0:01']);
});

test('a visitor reads times as in their country, in the language of the page', () => {
  expect(varietyOf('en', ['de-AT', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(varietyOf('de', ['en-GB', 'de-AT'])).toBe('de-AT');
  expect(varietyOf('de', ['fr-FR'])).toBe('de');
});
