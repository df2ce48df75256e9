import { expect, test } from 'vitest';
import { gather } from './gather.ts';

/** A source that answers when it is told to. */
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
  const double = gather({ batchMax: 3, concurrency: 1 }, ask);
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
  const double = gather({ batchMax: 3, concurrency: 1 }, ask);
  const first = double(1);
  const second = double(1);
  open[0]!.resolve([2]);
  expect(await first).toBe(2);
  await expect.poll(() => asked).toEqual([[1], [1]]);
  open[1]!.resolve([3]);
  expect(await second).toBe(3);
});

test('a failure is told to everybody of its batch and to nobody else', async () => {
  const { open, ask } = createSource();
  const double = gather({ batchMax: 3, concurrency: 1 }, ask);
  const answers = Promise.allSettled([1, 2, 3].map(double));
  open[0]!.resolve([2]);
  await expect.poll(() => open.length).toBe(2);
  open[1]!.reject(new Error('away'));
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
});
