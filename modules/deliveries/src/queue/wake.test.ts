import { expect, test, vi } from 'vitest';
import { createLog } from '@service/log';
import type { Query } from '@service/database';
import { createCoalescer, createWakeOfAll } from './wake.ts';

const onError = (): void => undefined;

test('the first call is sent at once, and all calls within the gap are sent as one', async () => {
  vi.useFakeTimers();
  const sends: number[] = [];
  const coalescer = createCoalescer({ send: async () => void sends.push(Date.now()), onError, gapMs: 10 });
  const start = Date.now();
  for (let call = 0; call < 50; call += 1) coalescer.call();
  await vi.advanceTimersByTimeAsync(100);
  expect(sends).toEqual([start, start + 10]);
  vi.useRealTimers();
});

test('a call during a slow send is followed by another send', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let sends = 0;
  const coalescer = createCoalescer({ send: () => ((sends += 1), promise), onError, gapMs: 0 });
  coalescer.call();
  coalescer.call();
  expect(sends).toBe(1);
  resolve();
  await coalescer.close();
  expect(sends).toBe(2);
});

test('a failed send is reported and not thrown, and the next one is tried', async () => {
  const errors: unknown[] = [];
  const failure = new Error('no database');
  const coalescer = createCoalescer({
    send: () => Promise.reject(failure),
    onError: (error) => errors.push(error),
    gapMs: 0,
  });
  coalescer.call();
  await vi.waitFor(() => expect(errors).toEqual([failure]));
  coalescer.call();
  await coalescer.close();
  expect(errors).toEqual([failure, failure]);
});

test('closing sends the waiting call without waiting for the gap, and ignores later calls', async () => {
  let sends = 0;
  const coalescer = createCoalescer({ send: async () => void (sends += 1), onError, gapMs: 60_000 });
  coalescer.call();
  coalescer.call();
  await coalescer.close();
  coalescer.call();
  await coalescer.close();
  expect(sends).toBe(2);
});

test('a notification follows a commit over its connection; one that comes just after it, or whose connection is lost, is sent later', async () => {
  const sent: string[] = [];
  const queryOf =
    (connection: string): Query =>
    async () => {
      sent.push(connection);
      if (connection === 'lost') throw new Error('The connection is lost.');
      return [];
    };
  const wake = createWakeOfAll(queryOf('pool'), createLog('test', { level: 'silent' }));
  const commit = async (connection: string): Promise<void> => {
    const after: (() => unknown)[] = [];
    let followed: Promise<void> | undefined;
    wake.afterCommitOf({
      followCommit: (send) => void (followed = send(queryOf(connection))),
      afterCommit: (callback) => void after.push(callback),
    });
    await followed;
    for (const callback of after) callback();
  };
  await commit('first');
  expect(sent).toEqual(['first']);
  await commit('second');
  expect(sent).toEqual(['first', 'pool']);
  await wake.close();

  sent.length = 0;
  const other = createWakeOfAll(queryOf('pool'), createLog('test', { level: 'silent' }));
  other.afterCommitOf({
    followCommit: (send) => void send(queryOf('lost')),
    afterCommit: (callback) => void callback(),
  });
  await vi.waitFor(() => expect(sent).toEqual(['lost', 'pool']));
  await other.close();
});
