import { expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';

interface Options {
  waitMs?: number;
  concurrency?: number;
  waitingMax?: number;
  groupOf?: (item: number) => string;
}

/** A batcher of three items whose batches the test ends. */
function batcherOf(options: Options = {}) {
  const started: number[][] = [];
  const ends: (() => void)[] = [];
  const batcher = createBatcher<number>({
    waitMs: 1,
    batchMax: 3,
    concurrency: 2,
    ...options,
    run: (batch) => {
      started.push([...batch]);
      return new Promise((resolve) => ends.push(resolve));
    },
  });
  const addAll = (...items: number[]): boolean[] => items.map((item) => batcher.add(item));
  const untilStarted = (count: number) => expect.poll(() => started.length, { timeout: 5000 }).toBe(count);
  return { batcher, started, addAll, untilStarted, endAll: () => ends.splice(0).forEach((end) => end()) };
}

/** 100 to 199 are of the first group, and so on. */
const groupOf = (item: number): string => String(Math.floor(item / 100));

test('items that arrive within the wait are one batch, in their order', async () => {
  const { batcher, started, addAll, untilStarted, endAll } = batcherOf();
  addAll(1, 2);
  expect(started).toEqual([]);
  await untilStarted(1);
  expect(started).toEqual([[1, 2]]);
  endAll();
  await batcher.drain();
});

test('a full batch starts at once, and no batch is larger', async () => {
  const { batcher, started, addAll, untilStarted, endAll } = batcherOf();
  addAll(1, 2, 3, 4);
  expect(started).toEqual([[1, 2, 3]]);
  await untilStarted(2);
  expect(started[1]).toEqual([4]);
  endAll();
  await batcher.drain();
});

test('without a wait the first item starts at once, and the items that arrive meanwhile are the next batch', async () => {
  const { batcher, started, addAll, untilStarted, endAll } = batcherOf({ waitMs: 0, concurrency: 1 });
  addAll(1, 2, 3);
  expect(started).toEqual([[1]]);
  endAll();
  await untilStarted(2);
  expect(started[1]).toEqual([2, 3]);
  endAll();
  await batcher.drain();
});

test('no more batches are under way than `concurrency` allows', async () => {
  const { batcher, started, addAll, untilStarted, endAll } = batcherOf({ concurrency: 1 });
  addAll(1);
  await untilStarted(1);
  addAll(2, 3, 4, 5, 6);
  expect(started).toEqual([[1]]);
  endAll();
  await untilStarted(2);
  expect(started[1]).toEqual([2, 3, 4]);
  endAll();
  await untilStarted(3);
  expect(started[2]).toEqual([5, 6]);
  endAll();
  await batcher.drain();
});

test('groups take turns, so that a group with many items does not delay the others', async () => {
  const { batcher, started, addAll, untilStarted, endAll } = batcherOf({ concurrency: 1, groupOf });
  addAll(101, 102, 103, 104, 105, 201, 202, 301);
  for (let batches = 1; batches <= 3; batches += 1) {
    await untilStarted(batches);
    endAll();
  }
  await batcher.drain();
  // The first batch started as soon as it was full.
  expect(started).toEqual([
    [101, 102, 103],
    [104, 201, 301],
    [105, 202],
  ]);
});

test('an item is refused while the greatest number of items waits', () => {
  const { addAll } = batcherOf({ waitingMax: 2 });
  expect(addAll(1, 2, 3)).toEqual([true, true, false]);
});

test('withdrawn items are in no batch, and the items of other groups stay', async () => {
  const { batcher, started, addAll, untilStarted, endAll } = batcherOf({ groupOf });
  addAll(101, 201);
  expect(batcher.withdraw('1')).toEqual([101]);
  expect(batcher.withdraw('1')).toEqual([]);
  await untilStarted(1);
  expect(started).toEqual([[201]]);
  endAll();
  await batcher.drain();
});

test('a drain starts the items that wait at once and resolves after the last batch', async () => {
  const { batcher, started, addAll, untilStarted, endAll } = batcherOf({ waitMs: 3_600_000, concurrency: 1 });
  addAll(1, 2);
  let isDrained = false;
  const drained = batcher.drain().then(() => (isDrained = true));
  expect(started).toEqual([[1, 2]]);
  addAll(3);
  endAll();
  await untilStarted(2);
  expect(isDrained).toBe(false);
  endAll();
  await drained;
  expect(started).toEqual([[1, 2], [3]]);
});
