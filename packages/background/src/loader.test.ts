import { expect, test } from 'vitest';
import { createLoader } from './loader.ts';

function loaderOf(load: (keys: readonly number[]) => Promise<string[]>) {
  const loads: (readonly number[])[] = [];
  const loader = createLoader<number, string>({
    load(keys) {
      loads.push(keys);
      return load(keys);
    },
    refuse: () => new Error('busy'),
    groupOf: () => '',
    batchMax: 3,
    waitingMax: 3,
    waitMs: 1,
  });
  return { loader, loads };
}

test('keys that arrive together are loaded together, and each gets its value', async () => {
  const { loader, loads } = loaderOf(async (keys) => keys.map(String));
  expect(await Promise.all([1, 2, 3].map((key) => loader.load(key)))).toEqual(['1', '2', '3']);
  expect(loads).toEqual([[1, 2, 3]]);
});

test('a failed load fails for its keys only, and a key beyond the limit is refused', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const { loader } = loaderOf(async (keys) => {
    await started;
    if (keys.includes(1)) throw new Error('failed');
    return keys.map(String);
  });
  const outcomes = [1, 2, 3, 4, 5, 6, 7].map((key) =>
    loader.load(key).catch(({ message }: Error) => message),
  );
  start();
  expect(await Promise.all(outcomes)).toEqual(['failed', 'failed', 'failed', '4', '5', '6', 'busy']);
  await loader.drain();
});
