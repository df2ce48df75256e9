import { expect, test } from 'vitest';
import { environment } from './environment.ts';
import { readConfig } from './read-config.ts';
import { checkRetention } from './retention.ts';

const names = { RETENTION_DAYS: true, WEBHOOK_RETRY_SCHEDULE_SECONDS: true, PORT: true } as const;
const schema = environment.pick(names).check(checkRetention);
const read = (variables: Record<string, string>) => readConfig(schema, variables);

test('history must be kept for as long as retries take with their jitter', () => {
  // 75.6 h with a fifth more are 90.7 h, which is less than four days.
  expect(read({ RETENTION_DAYS: '4' }).RETENTION_DAYS).toBe(4);
  expect(() => read({ RETENTION_DAYS: '3' })).toThrow(
    /^Bad configuration:\n  RETENTION_DAYS: RETENTION_DAYS is 3, but the retries of WEBHOOK_RETRY_SCHEDULE_SECONDS can take 4 days [^\n]*$/,
  );
});

test('a schedule that is longer than the default retention is the problem itself', () => {
  const schedule = Array.from({ length: 20 }, () => '604800').join(',');
  expect(() => read({ WEBHOOK_RETRY_SCHEDULE_SECONDS: schedule })).toThrow(
    /^Bad configuration:\n  WEBHOOK_RETRY_SCHEDULE_SECONDS: RETENTION_DAYS is 90, but [^\n]*168 days/,
  );
  expect(read({ WEBHOOK_RETRY_SCHEDULE_SECONDS: schedule, RETENTION_DAYS: '168' }).RETENTION_DAYS).toBe(168);
});

test('it is told together with other problems', () => {
  expect(() => read({ RETENTION_DAYS: '3', PORT: 'x' })).toThrow(/PORT: .*\n?.*/);
  expect(() => read({ RETENTION_DAYS: 'x' })).not.toThrow(/retries/);
});
