import { expect, test } from 'vitest';
import { dayOrMoment, moment } from './fields.ts';

test.for([
  ['Java, without seconds', '2026-12-01T09:00Z', '2026-12-01T09:00:00Z'],
  ['Java, without seconds and with an offset', '2026-12-01T09:00+01:00', '2026-12-01T09:00:00+01:00'],
  ['PHP and date +%FT%T%z', '2026-12-01T09:00:00-0800', '2026-12-01T09:00:00-08:00'],
  ['hours of an offset only', '2026-12-01T09:00:00.123456+05', '2026-12-01T09:00:00.123456+05:00'],
  ['lower case', '2026-12-01t09:00:00z', '2026-12-01T09:00:00Z'],
  ['a plus that was not encoded in a URL', '2026-12-01T09:00:00 0530', '2026-12-01T09:00:00+05:30'],
])('a time as %s prints it is read', ([, given, expected]) => {
  expect(moment.parse(given)).toBe(expected);
  expect(dayOrMoment.parse(given)).toBe(expected);
});

test.for([
  '2026-12-01T09:00:00',
  '2026-12-01 09:00:00Z',
  '2026-12-01T09Z',
  '2026-02-30T09:00Z',
  '2026-12-01T24:00Z',
  '2026-12-01T09:00+2400',
  '1969-12-31T23:59Z',
  '20261201T090000Z',
  '',
])('%j is refused, because it has no offset, no such day or another form', (text) => {
  expect(moment.safeParse(text).success).toBe(false);
  expect(dayOrMoment.safeParse(text).success).toBe(false);
});
