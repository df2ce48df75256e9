import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAccountQueue } from './account-queue.ts';

/** A queue of numbers whose batches the test ends. A number is its own result. */
function queueOf(options: { itemsMax?: number; bytesMax?: number } = {}) {
  const batches: { accountId: string; items: readonly number[]; end: PromiseWithResolvers<void> }[] = [];
  const queue = createAccountQueue<number, number>({
    batchMax: 3,
    bytesOf: (item) => item,
    async run(accountId, items) {
      const end = Promise.withResolvers<void>();
      batches.push({ accountId, items, end });
      await end.promise;
      return items;
    },
    ...options,
  });
  const started = () => batches.map(({ accountId, items }) => [accountId, ...items]);
  const endAll = async (): Promise<void> => {
    for (let ended = 0; ended < batches.length; ended += 1) {
      batches[ended]!.end.resolve();
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    }
  };
  return { queue, batches, started, endAll };
}

test('one batch of an account runs at a time, and what arrives meanwhile is the next one', async () => {
  const { queue, started, endAll } = queueOf();
  const results = [1, 2, 3, 4, 5].map((item) => queue.add('a', item));
  expect(started()).toEqual([['a', 1]]);
  await endAll();
  expect(started()).toEqual([
    ['a', 1],
    ['a', 2, 3, 4],
    ['a', 5],
  ]);
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5]);
  await queue.drain();
});

test('an account whose batches do not end delays no other account', async () => {
  const { queue, started, batches, endAll } = queueOf();
  const slow = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
  for (const account of slow) for (const item of [1, 2]) void queue.add(account, item);
  const quick = queue.add('quick', 3);
  batches.at(-1)!.end.resolve();
  expect(await quick).toBe(3);
  expect(started()).toEqual([...slow.map((account) => [account, 1]), ['quick', 3]]);
  await endAll();
  await queue.drain();
  expect(started().slice(slow.length + 1)).toEqual(slow.map((account) => [account, 2]));
});

test('an account has a limit of waiting items and bytes, and others are not affected', async () => {
  const items = queueOf({ itemsMax: 2 });
  void items.queue.add('a', 1);
  void items.queue.add('a', 2);
  void items.queue.add('a', 3);
  expect(() => items.queue.add('a', 4)).toThrow('too fast');
  void items.queue.add('b', 5);
  await items.endAll();
  expect(items.started().flat()).not.toContain(4);

  const bytes = queueOf({ bytesMax: 100 });
  void bytes.queue.add('a', 60);
  expect(() => bytes.queue.add('a', 41)).toThrow('too fast');
  void bytes.queue.add('a', 40);
  void bytes.queue.add('b', 1000);
  await bytes.endAll();
  void bytes.queue.add('a', 100);
  await bytes.endAll();
  expect(bytes.started().flat()).toEqual(['a', 60, 'b', 1000, 'a', 40, 'a', 100]);
});

/** A queue of numbers that lists its batches, and whose batches with `item` fail with `error`. */
function queueWithFault(item: number, error: Error) {
  const attempts: (readonly number[])[] = [];
  const queue = createAccountQueue<number, number>({
    bytesOf: () => 1,
    async run(_accountId, items) {
      attempts.push(items);
      await nextTurn();
      if (items.includes(item)) throw error;
      return items;
    },
  });
  const statusesOf = async (items: readonly number[]): Promise<string[]> =>
    (await Promise.allSettled(items.map((one) => queue.add('a', one)))).map(({ status }) => status);
  return { attempts, statusesOf };
}

test.each([
  ['an unreachable database', { code: 'ECONNREFUSED' }],
  ['a statement that takes too long', { code: '57014' }],
  ['a lock that is not free in time', { code: '55P03' }],
  ['a full disk', { code: '53100' }],
])('%s fails the batch, which is not tried in parts', async (_what, fault) => {
  const { attempts, statusesOf } = queueWithFault(9, Object.assign(new Error('Away'), fault));
  expect(await statusesOf([0, 8, 9])).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(attempts).toEqual([[0], [8, 9]]);
});

test('an item that fails its batch fails alone, and is found by halves', async () => {
  const { attempts, statusesOf } = queueWithFault(2, new Error('No'));
  expect(await statusesOf([0, 1, 2, 3])).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(attempts).toEqual([[0], [1, 2, 3], [1, 2], [1], [2], [3]]);
});
