import { expect, test } from 'vitest';
import { lastDue } from './run-crons.ts';

const at = (text: string) => new Date(`2027-03-01T${text}Z`);
const hourly = '17 * * * *';

test('a cron is due once its minute has come, and not again before the next', () => {
  expect(lastDue(hourly, at('10:17:00'), at('11:16:59'))).toBeUndefined();
  expect(lastDue(hourly, at('10:17:00'), at('11:17:00'))).toEqual(at('11:17:00'));
  expect(lastDue(hourly, at('11:17:00'), at('11:17:30'))).toBeUndefined();
});

test('runs that were missed within a day are one run, that of the last minute', () => {
  expect(lastDue(hourly, at('02:17:00'), at('11:30:00'))).toEqual(at('11:17:00'));
  const monthAgo = new Date('2027-02-01T00:00:00Z');
  expect(lastDue(hourly, monthAgo, at('11:30:00'))).toEqual(at('11:17:00'));
  expect(lastDue('0 12 27 2 *', monthAgo, at('11:30:00'))).toBeUndefined();
});

test('a last run in the future is of a clock that was ahead, and does not keep a cron from running', () => {
  const inAMonth = new Date('2027-04-01T00:00:00Z');
  expect(lastDue(hourly, inAMonth, at('11:30:00'))).toEqual(at('11:17:00'));
  expect(lastDue('* * * * *', at('11:30:00'), at('11:29:59.500'))).toBeUndefined();
});
