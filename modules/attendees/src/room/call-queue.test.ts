import type { AppError } from '@service/errors';
import { expect, test } from 'vitest';
import type { LineEntry } from './attendee-line.ts';
import { createCallQueue, type BatchOutcome } from './call-queue.ts';
import type { CallResult } from './run-calls.ts';

interface Limits {
  batchMax?: number;
  waitMaxMs?: number;
  callsMax?: number;
}

/** A queue whose batches end when the test ends them. Calls are named `account/attendee/call`. */
function heldQueue({ batchMax = 3, waitMaxMs = 60_000, callsMax = 1000 }: Limits = {}) {
  const batches: string[][] = [];
  const ends = new Map<string[], (outcome: BatchOutcome) => void>();
  const names = new WeakMap<LineEntry, string>();
  const results = new Map<string, CallResult>();
  const queue = createCallQueue({
    gatherMs: 1,
    batchMax,
    batchesMax: 6,
    accountBatchesMax: 4,
    refusedBatchesMax: 3,
    callsMax,
    accountCallsMax: 500,
    waitMaxMs,
    run(entries) {
      const batch = entries.map((entry) => names.get(entry)!);
      batches.push(batch);
      return new Promise((resolve) => ends.set(batch, resolve));
    },
  });
  return {
    queue,
    batches,
    results,
    add(name: string): boolean {
      const [accountId, registrationId] = name.split('/') as [string, string];
      const token = { accountId, registrationId, tokenVersion: 1 };
      const entry: LineEntry = {
        call: { token, handle: () => ({ answer: () => name }) },
        settles: [(result) => results.set(name, result)],
        waitsSinceMs: performance.now(),
        isAlone: false,
      };
      names.set(entry, name);
      return queue.add(entry);
    },
    /** The running batches. */
    running: () => [...ends.keys()],
    end(batch: string[], outcomeOf: (name: string) => BatchOutcome['outcomes'][number] = answered): void {
      const resolve = ends.get(batch)!;
      ends.delete(batch);
      resolve({ outcomes: batch.map(outcomeOf), isLockRefused: false });
    },
    /** Ends a batch that waited in vain for a lock. */
    refuse(batch: string[]): void {
      const resolve = ends.get(batch)!;
      ends.delete(batch);
      const again = batch.length === 1 ? 'later' : 'alone';
      resolve({ outcomes: batch.map(() => ({ again })), isLockRefused: true });
    },
  };
}

const answered = (name: string): CallResult => ({ ok: true, answer: name });

const until = (what: () => unknown) => expect.poll(what, { timeout: 10_000, interval: 2 }).toBeTruthy();

const accountOf = (batch: readonly string[]): string => batch[0]!.split('/')[0]!;

test('calls that arrive together become one batch per account', async () => {
  const { add, batches, running, end, results } = heldQueue();
  for (const name of ['a/1/x', 'b/1/x', 'a/2/x', 'b/2/x']) add(name);
  await until(() => batches.length === 2);
  expect(batches).toEqual([
    ['a/1/x', 'a/2/x'],
    ['b/1/x', 'b/2/x'],
  ]);
  for (const batch of running()) end(batch);
  await until(() => results.size === 4);
});

test('an account with many calls has four batches at a time, and two places stay free for others', async () => {
  const { add, batches, running, end } = heldQueue({ batchMax: 1 });
  for (let attendee = 0; attendee < 20; attendee += 1) add(`a/${attendee}/x`);
  await until(() => batches.length === 4);
  for (const name of ['b/1/x', 'b/2/x', 'c/1/x', 'c/2/x', 'd/1/x']) add(name);
  expect(batches.slice(4).map(accountOf)).toEqual(['b', 'b']);
  for (let turn = 0; turn < 4; turn += 1) {
    end(running()[0]!);
    await until(() => batches.length === 7 + turn);
  }
  expect(batches.slice(6).map(accountOf)).toEqual(['a', 'c', 'd', 'a']);
});

test('calls of one attendee are never in two batches at once, and keep their order', async () => {
  const { add, batches, running, end } = heldQueue({ batchMax: 2 });
  for (const what of ['x', 'y', 'z']) add(`a/1/${what}`);
  await until(() => batches.length === 1);
  add('a/2/x');
  await until(() => batches.length === 2);
  expect(running()).toEqual([['a/1/x', 'a/1/y'], ['a/2/x']]);
  end(running()[0]!);
  await until(() => batches.length === 3);
  expect(batches[2]).toEqual(['a/1/z']);
});

test('a call with locked rows is tried again before later calls of its attendee, and delays no other attendee', async () => {
  const { add, batches, running, end, results } = heldQueue();
  add('a/1/x');
  add('a/2/x');
  await until(() => batches.length === 1);
  add('a/1/y');
  end(running()[0]!, (name) => (name === 'a/1/x' ? { again: 'later' } : answered(name)));
  await until(() => results.has('a/2/x'));
  await until(() => batches.length === 2);
  expect(batches[1]).toEqual(['a/1/x', 'a/1/y']);
});

test('a call that has waited too long is refused with room_busy, tried or not', async () => {
  const { add, batches, results } = heldQueue({ waitMaxMs: 0 });
  add('a/1/x');
  await until(() => results.size === 1);
  expect(batches).toEqual([]);
  const slow = heldQueue({ waitMaxMs: 50 });
  slow.add('a/1/x');
  while (slow.results.size === 0) {
    for (const batch of slow.running()) slow.end(batch, () => ({ again: 'later' }));
    await new Promise(setImmediate);
  }
  for (const found of [results, slow.results]) {
    const { error } = found.get('a/1/x') as { error: AppError };
    expect([error.code, error.retryAfterSeconds]).toEqual(['room_busy', 2]);
  }
});

test('calls of a failed batch are tried one at a time, beside other calls of the account', async () => {
  const { add, batches, running, end, results } = heldQueue();
  for (const attendee of [1, 2]) add(`a/${attendee}/x`);
  await until(() => batches.length === 1);
  end(running()[0]!, () => ({ again: 'alone' }));
  await until(() => batches.length === 2);
  for (const attendee of [3, 4]) add(`a/${attendee}/x`);
  await until(() => batches.length === 3);
  expect(running()).toEqual([['a/1/x'], ['a/3/x', 'a/4/x']]);
  end(running()[0]!);
  await until(() => batches.length === 4);
  expect(batches[3]).toEqual(['a/2/x']);
  for (const batch of running()) end(batch);
  await until(() => results.size === 4);
});

test('accounts that wait in vain for locks use at most half of the places', async () => {
  const { add, batches, running, refuse } = heldQueue();
  const stuck = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const account of stuck) for (const attendee of [1, 2]) add(`${account}/${attendee}/x`);
  await until(() => batches.length === 6);
  for (const batch of running()) refuse(batch);
  await until(() => running().length === 3);
  for (const account of stuck)
    for (let attendee = 3; attendee < 30; attendee += 1) add(`${account}/${attendee}/x`);
  for (const attendee of [1, 2, 3]) add(`healthy/${attendee}/x`);
  await until(() => running().some((batch) => accountOf(batch) === 'healthy'));
  for (let turn = 0; turn < 30; turn += 1) {
    const refusable = running().filter((batch) => accountOf(batch) !== 'healthy');
    expect(refusable.length).toBeLessThanOrEqual(3);
    for (const batch of refusable) refuse(batch);
    await new Promise(setImmediate);
  }
});

test('the number of waiting calls is limited, per process and per attendee', () => {
  const { add } = heldQueue({ callsMax: 10 });
  const added = Array.from({ length: 10 }, (_, index) => add(`a/1/${index}`));
  expect(added.filter(Boolean)).toHaveLength(8);
  expect([add('b/1/x'), add('b/2/x'), add('b/3/x')]).toEqual([true, true, false]);
});

test('draining waits until every call is answered', async () => {
  const { add, queue, running, end, batches } = heldQueue();
  add('a/1/x');
  let isDrained = false;
  const drained = queue.drain().then(() => (isDrained = true));
  await until(() => batches.length === 1);
  end(running()[0]!, () => ({ again: 'later' }));
  await until(() => batches.length === 2);
  expect(isDrained).toBe(false);
  end(running()[0]!);
  await drained;
});
