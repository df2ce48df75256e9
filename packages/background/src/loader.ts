import { createBatcher } from './batcher.ts';

interface LoaderOptions<Key, Value> {
  /** The values of keys, in their order. */
  load(keys: readonly Key[]): Promise<readonly Value[]>;
  /** The error when too many keys wait. */
  refuse(): Error;
  /** Keys in one load. */
  batchMax: number;
  /** Keys that wait at once. */
  waitingMax: number;
  /** Loads under way at once; 1. */
  concurrency?: number;
  /** The first key of a load waits for others for this time, in milliseconds. */
  waitMs: number;
  /** Groups take turns within a load. */
  groupOf(key: Key): string;
}

export interface Loader<Key, Value> {
  /** The value of a key, loaded together with those that others ask for. */
  load(key: Key): Promise<Value>;
  /** Resolves when no key waits or is being loaded. */
  drain(): Promise<void>;
}

interface Waiting<Key, Value> extends PromiseWithResolvers<Value> {
  key: Key;
}

/** Loads values together whose keys arrive one by one. A failed load fails for all of its keys. */
export function createLoader<Key, Value>(options: LoaderOptions<Key, Value>): Loader<Key, Value> {
  const { load, refuse, groupOf, ...limits } = options;
  const batcher = createBatcher<Waiting<Key, Value>>({
    ...limits,
    groupOf: ({ key }) => groupOf(key),
    async run(waiting) {
      try {
        const values = await load(waiting.map(({ key }) => key));
        for (const [index, { resolve }] of waiting.entries()) resolve(values[index]!);
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    },
  });
  return {
    async load(key) {
      const one = { key, ...Promise.withResolvers<Value>() };
      if (!batcher.add(one)) throw refuse();
      return one.promise;
    },
    drain: () => batcher.drain(),
  };
}
