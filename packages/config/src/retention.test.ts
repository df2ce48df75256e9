import { expect, test } from 'vitest';
import { environment } from './environment.ts';
import { readConfig } from './read-config.ts';
import { outlivesRetries, retentionProblem } from './retention.ts';

const names = { RETENTION_DAYS: true, WEBHOOK_RETRY_SCHEDULE_SECONDS: true, PORT: true } as const;
const schema = environment.pick(names).refine(outlivesRetries, retentionProblem);
const read = (variables: Record<string, string>) => readConfig(schema, variables);

test('history must be kept for as long as retries take with their jitter', () => {
  // 75.6 h with a fifth more are 90.7 h, which is less than four days.
  expect(read({ RETENTION_DAYS: '4' }).RETENTION_DAYS).toBe(4);
  expect(() => read({ RETENTION_DAYS: '3' })).toThrow(
    /^Bad configuration:\n  RETENTION_DAYS: is 3, but the retries of WEBHOOK_RETRY_SCHEDULE_SECONDS can take 4 days [^\n]*$/,
  );
});

test('the default retention is too short for a schedule of months', () => {
  const schedule = Array.from({ length: 20 }, () => '604800').join(',');
  expect(() => read({ WEBHOOK_RETRY_SCHEDULE_SECONDS: schedule })).toThrow(
    /^Bad configuration:\n  RETENTION_DAYS: is 90, but [^\n]* at least 168$/,
  );
  expect(read({ WEBHOOK_RETRY_SCHEDULE_SECONDS: schedule, RETENTION_DAYS: '168' }).RETENTION_DAYS).toBe(168);
});

test('a short retention is reported together with other problems, and an invalid one only as invalid', () => {
  expect(() => read({ RETENTION_DAYS: '3', PORT: 'x' })).toThrow(
    /RETENTION_DAYS: is 3[^]*PORT|PORT[^]*RETENTION_DAYS: is 3/,
  );
  expect(() => read({ RETENTION_DAYS: 'x' })).not.toThrow(/retries/);
});
