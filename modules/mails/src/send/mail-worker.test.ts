import { EventEmitter } from 'node:events';
import { createLog } from '@service/log';
import { afterEach, expect, test, vi } from 'vitest';
import { createMailWorker } from './mail-worker.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a worker asks whether mails wait after each wait for work, but twice a second without a connection for notifications, and for a second after a notification', async () => {
  vi.useFakeTimers();
  let questions = 0;
  const connection = Object.assign(new EventEmitter(), { query: async () => [], end: async () => undefined });
  const connected = Promise.withResolvers<unknown>();
  const parts = {
    database: { query: async () => [], connect: () => connected.promise },
    log: createLog('test', { level: 'silent' }),
    async mayFind() {
      questions += 1;
      return false;
    },
    untilWork: () => new Promise<void>((resolve) => void setTimeout(resolve, 1000)),
  };
  const worker = createMailWorker(parts as unknown as Parameters<typeof createMailWorker>[0]);
  const questionsIn = async (seconds: number): Promise<number> => {
    const before = questions;
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    return questions - before;
  };
  worker.start();
  await questionsIn(1);
  expect(await questionsIn(10)).toBe(20);
  connected.resolve(connection);
  await questionsIn(2);
  expect(await questionsIn(10)).toBe(10);
  connection.emit('notification', { channel: 'mails_due', payload: '' });
  expect(await questionsIn(1)).toBe(3);
  await worker.stop();
});
