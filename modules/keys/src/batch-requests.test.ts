import { expect, test } from 'vitest';
import { batchRequests } from './batch-requests.ts';

const lockRefusal = new Error('locked');

const options = {
  groupOf: () => 'one',
  isLockRefusal: (error: unknown) => error === lockRefusal,
  retryMs: 1,
  waitMaxMs: 60_000,
};

/** A destination whose results the test gives. */
function createDestination() {
  const sent: number[][] = [];
  const results: PromiseWithResolvers<readonly number[]>[] = [];
  const send = (requests: readonly number[]): Promise<readonly number[]> => {
    sent.push([...requests]);
    const result = Promise.withResolvers<readonly number[]>();
    results.push(result);
    return result.promise;
  };
  return { sent, results, send };
}

test('the first request is sent at once, and the requests that arrive meanwhile are sent together', async () => {
  const { sent, results, send } = createDestination();
  const double = batchRequests({ ...options, batchMax: 3, concurrency: 1 }, send);
  const answers = Promise.all([1, 2, 3, 4, 5].map(double));
  expect(sent).toEqual([[1]]);
  results[0]!.resolve([2]);
  await expect.poll(() => sent).toEqual([[1], [2, 3, 4]]);
  results[1]!.resolve([4, 6, 8]);
  await expect.poll(() => sent).toEqual([[1], [2, 3, 4], [5]]);
  results[2]!.resolve([10]);
  expect(await answers).toEqual([2, 4, 6, 8, 10]);
});

test('a request that arrives while an equal one is under way is sent again', async () => {
  const { sent, results, send } = createDestination();
  const double = batchRequests({ ...options, batchMax: 3, concurrency: 1 }, send);
  const first = double(1);
  const second = double(1);
  results[0]!.resolve([2]);
  expect(await first).toBe(2);
  await expect.poll(() => sent).toEqual([[1], [1]]);
  results[1]!.resolve([3]);
  expect(await second).toBe(3);
});

test('an error rejects every request of its batch and no other', async () => {
  const { results, send } = createDestination();
  const double = batchRequests({ ...options, batchMax: 3, concurrency: 1 }, send);
  const answers = Promise.allSettled([1, 2, 3].map(double));
  results[0]!.resolve([2]);
  await expect.poll(() => results.length).toBe(2);
  results[1]!.reject(new Error('away'));
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
});

/** 10 to 19 are of group 1, and so on. */
const groupOf = (request: number): string => String(Math.floor(request / 10));

test('a flood of one group does not delay the others: groups take turns', async () => {
  const { sent, results, send } = createDestination();
  const double = batchRequests({ ...options, groupOf, batchMax: 3, concurrency: 1 }, send);
  const answers = Promise.all([10, 11, 12, 13, 14, 15, 20, 30].map(double));
  results[0]!.resolve([10]);
  await expect.poll(() => sent).toEqual([[10], [11, 20, 30]]);
  results[1]!.resolve([11, 20, 30]);
  await expect.poll(() => sent[2]).toEqual([12, 13, 14]);
  results[2]!.resolve([12, 13, 14]);
  await expect.poll(() => sent[3]).toEqual([15]);
  results[3]!.resolve([15]);
  expect(await answers).toEqual([10, 11, 12, 13, 14, 15, 20, 30]);
});

test('a locked group is sent separately until its row is free, while the others go on together', async () => {
  let isLocked = true;
  const sent: string[] = [];
  const send = async (requests: readonly number[]): Promise<readonly number[]> => {
    sent.push(requests.join(' '));
    if (isLocked && requests.some((request) => groupOf(request) === '1')) throw lockRefusal;
    return requests;
  };
  const double = batchRequests({ ...options, groupOf, batchMax: 10, concurrency: 1 }, send);
  const waiting = [10, 11].map(double);
  await Promise.all([20, 30, 21, 31].map(double));
  for (let call = 0; call < 50; call += 1) await double(20 + (call % 2));
  expect(sent.filter((batch) => /\b1\d/.test(batch) && /\b[23]\d/.test(batch)).length).toBeLessThan(2);
  isLocked = false;
  expect(await Promise.all(waiting)).toEqual([10, 11]);
  // Then it is sent with the others again.
  await Promise.all([12, 22, 13, 23].map(double));
  expect(sent.at(-1)).toMatch(/1\d.*2\d|2\d.*1\d/);
});

test('a request that has waited too long for a lock fails, and a later one is sent', async () => {
  let isLocked = true;
  const send = async (requests: readonly number[]): Promise<readonly number[]> => {
    if (isLocked) throw lockRefusal;
    return requests;
  };
  const double = batchRequests({ ...options, waitMaxMs: 0, batchMax: 10, concurrency: 1 }, send);
  await expect(double(1)).rejects.toBe(lockRefusal);
  isLocked = false;
  expect(await double(2)).toBe(2);
});
