import { createLog } from '@service/log';
import { afterEach, expect, test, vi } from 'vitest';
import { createContactWorker } from './contact-worker.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a worker asks once a second whether changes wait, and looks for due ones four times a second while some do', async () => {
  vi.useFakeTimers();
  let isWaiting = false;
  const counts = { questions: 0, searches: 0 };
  const worker = createContactWorker({
    database: {
      async query() {
        counts.searches += 1;
        return [];
      },
      transaction: () => Promise.reject(new Error('Nothing is written.')),
    },
    marketing: {} as Parameters<typeof createContactWorker>[0]['marketing'],
    readRevenue: async () => new Map(),
    readSuppressed: async () => new Set(),
    log: createLog('test', { level: 'silent' }),
    clock: { now: () => new Date(), wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)) },
    async mayFind() {
      counts.questions += 1;
      return isWaiting;
    },
  });
  const countOf = async (seconds: number): Promise<typeof counts> => {
    const before = { ...counts };
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    return {
      questions: counts.questions - before.questions,
      searches: counts.searches - before.searches,
    };
  };
  worker.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(await countOf(10)).toEqual({ questions: 10, searches: 0 });
  isWaiting = true;
  await countOf(1);
  expect(await countOf(10)).toEqual({ questions: 40, searches: 40 });
  const stopped = worker.stop();
  await vi.advanceTimersByTimeAsync(250);
  await stopped;
});
