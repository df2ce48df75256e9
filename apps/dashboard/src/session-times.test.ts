import { expect, test } from 'vitest';
import { sessionTimes } from './session-times.ts';

const at = '2026-11-26T23:30:00.000Z';
const thisYear = '2026';

test("the reader's time comes first, and the webinar's time beside it names its day when that is another one", () => {
  const times = sessionTimes(at, { webinarZone: 'Asia/Kolkata', readerZone: 'Europe/London', thisYear });
  expect(times.own).toBe('Thu 26 Nov, 23:30');
  expect(times.webinar).toBe('Fri 05:00 GMT+5:30');
  expect(times.full).toEqual([
    'Thu, 26 Nov 2026, 23:30 GMT (your time zone)',
    "Fri, 27 Nov 2026, 05:00 GMT+5:30 (the webinar's time zone, Asia/Kolkata)",
  ]);
});

test('one time is enough when both clocks show the same, also in zones of different names', () => {
  const place = { webinarZone: 'Africa/Abidjan', readerZone: 'Europe/London', thisYear };
  expect(sessionTimes(at, place)).toMatchObject({ webinar: undefined, full: { length: 1 } });
  // In summer the clocks of London and Abidjan differ.
  expect(sessionTimes('2026-07-01T10:00:00.000Z', place).webinar).toBe('10:00 GMT');
});

test('a session of another year shows its year', () => {
  const place = { webinarZone: undefined, readerZone: 'UTC', thisYear };
  expect(sessionTimes('2027-01-05T18:00:00.000Z', place).own).toBe('Tue, 5 Jan 2027, 18:00');
});
