import { expect, test } from 'vitest';
import { lastDue } from './run-crons.ts';

const at = (text: string) => new Date(`2027-03-01T${text}Z`);
const hourly = '17 * * * *';

test('a cron is due from its minute on, and again only at the next one', () => {
  expect(lastDue(hourly, at('10:17:00'), at('11:16:59'))).toBeUndefined();
  expect(lastDue(hourly, at('10:17:00'), at('11:17:00'))).toEqual(at('11:17:00'));
  expect(lastDue(hourly, at('11:17:00'), at('11:17:30'))).toBeUndefined();
});

test('one run, that of the last due minute, makes up for runs missed within a day', () => {
  expect(lastDue(hourly, at('02:17:00'), at('11:30:00'))).toEqual(at('11:17:00'));
  const monthAgo = new Date('2027-02-01T00:00:00Z');
  expect(lastDue(hourly, monthAgo, at('11:30:00'))).toEqual(at('11:17:00'));
  expect(lastDue('0 12 27 2 *', monthAgo, at('11:30:00'))).toBeUndefined();
});

test('a last run in the future, from a clock that was ahead, does not prevent the next run', () => {
  const inAMonth = new Date('2027-04-01T00:00:00Z');
  expect(lastDue(hourly, inAMonth, at('11:30:00'))).toEqual(at('11:17:00'));
  expect(lastDue('* * * * *', at('11:30:00'), at('11:29:59.500'))).toBeUndefined();
});
