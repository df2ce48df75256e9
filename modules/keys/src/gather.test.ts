import { expect, test } from 'vitest';
import { gather } from './gather.ts';

const options = {
  laneOf: () => 'one',
  isLocked: (error: unknown) => error === locked,
  restMs: 1,
  waitMaxMs: 60_000,
};

const locked = new Error('locked');

/** A source that answers when its promise is resolved. */
function createSource() {
  const asked: number[][] = [];
  const open: PromiseWithResolvers<readonly number[]>[] = [];
  const ask = (questions: readonly number[]): Promise<readonly number[]> => {
    asked.push([...questions]);
    const answer = Promise.withResolvers<readonly number[]>();
    open.push(answer);
    return answer.promise;
  };
  return { asked, open, ask };
}

test('the first questions go out at once, and those that come meanwhile go out together', async () => {
  const { asked, open, ask } = createSource();
  const double = gather({ ...options, batchMax: 3, concurrency: 1 }, ask);
  const answers = Promise.all([1, 2, 3, 4, 5].map(double));
  expect(asked).toEqual([[1]]);
  open[0]!.resolve([2]);
  await expect.poll(() => asked).toEqual([[1], [2, 3, 4]]);
  open[1]!.resolve([4, 6, 8]);
  await expect.poll(() => asked).toEqual([[1], [2, 3, 4], [5]]);
  open[2]!.resolve([10]);
  expect(await answers).toEqual([2, 4, 6, 8, 10]);
});

test('a question that comes while its like is being asked is asked anew', async () => {
  const { asked, open, ask } = createSource();
  const double = gather({ ...options, batchMax: 3, concurrency: 1 }, ask);
  const first = double(1);
  const second = double(1);
  open[0]!.resolve([2]);
  expect(await first).toBe(2);
  await expect.poll(() => asked).toEqual([[1], [1]]);
  open[1]!.resolve([3]);
  expect(await second).toBe(3);
});

test('a failure rejects every question of its batch and no other', async () => {
  const { open, ask } = createSource();
  const double = gather({ ...options, batchMax: 3, concurrency: 1 }, ask);
  const answers = Promise.allSettled([1, 2, 3].map(double));
  open[0]!.resolve([2]);
  await expect.poll(() => open.length).toBe(2);
  open[1]!.reject(new Error('away'));
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
});

/** Questions of account 10 are 10 to 19, and so on. */
const laneOf = (question: number): string => String(Math.floor(question / 10));

test('a flood in one lane does not stand before the others: each lane has its turn', async () => {
  const { asked, open, ask } = createSource();
  const double = gather({ ...options, laneOf, batchMax: 3, concurrency: 1 }, ask);
  const answers = Promise.all([10, 11, 12, 13, 14, 15, 20, 30].map(double));
  open[0]!.resolve([10]);
  await expect.poll(() => asked).toEqual([[10], [11, 20, 30]]);
  open[1]!.resolve([11, 20, 30]);
  await expect.poll(() => asked[2]).toEqual([12, 13, 14]);
  open[2]!.resolve([12, 13, 14]);
  await expect.poll(() => asked[3]).toEqual([15]);
  open[3]!.resolve([15]);
  expect(await answers).toEqual([10, 11, 12, 13, 14, 15, 20, 30]);
});

test('a locked lane waits by itself and is asked again, while the others go on together', async () => {
  let isLocked = true;
  const asked: string[] = [];
  const ask = async (questions: readonly number[]): Promise<readonly number[]> => {
    asked.push(questions.join(' '));
    if (isLocked && questions.some((question) => laneOf(question) === '1')) throw locked;
    return questions;
  };
  const double = gather({ ...options, laneOf, batchMax: 10, concurrency: 1 }, ask);
  const waiting = [10, 11].map(double);
  await Promise.all([20, 30, 21, 31].map(double));
  for (let call = 0; call < 50; call += 1) await double(20 + (call % 2));
  expect(asked.filter((batch) => /\b1\d/.test(batch) && /\b[23]\d/.test(batch)).length).toBeLessThan(2);
  isLocked = false;
  expect(await Promise.all(waiting)).toEqual([10, 11]);
  // Once it is free it goes with the others again.
  await Promise.all([12, 22, 13, 23].map(double));
  expect(asked.at(-1)).toMatch(/1\d.*2\d|2\d.*1\d/);
});

test('a question that waited too long for a lock fails, and a later one is asked anew', async () => {
  let isLocked = true;
  const ask = async (questions: readonly number[]): Promise<readonly number[]> => {
    if (isLocked) throw locked;
    return questions;
  };
  const double = gather({ ...options, waitMaxMs: 0, batchMax: 10, concurrency: 1 }, ask);
  await expect(double(1)).rejects.toBe(locked);
  isLocked = false;
  expect(await double(2)).toBe(2);
});
