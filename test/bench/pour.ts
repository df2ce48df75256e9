import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { BenchEndpoint } from './delivery-bench-world.ts';

export interface PourOptions {
  /** Of the database. */
  url: string;
  encryptionKey: string;
  endpoint: BenchEndpoint;
}

export interface Pour extends Disposable {
  /** Enqueues so many deliveries, 10,000 a second at most; returns how many milliseconds that took. */
  run(deliveries: number): Promise<number>;
}

/** A busy sender in a process of its own, so that it does not slow down the process that measures. */
export async function startPour(options: PourOptions): Promise<Pour> {
  const child = fork(new URL('pour-process.ts', import.meta.url), [JSON.stringify(options)]);
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('Pouring failed.')));
  failed.catch(() => undefined);
  await Promise.race([once(child, 'message'), failed]);
  return {
    async run(deliveries) {
      child.send(deliveries);
      const [elapsedMs] = (await Promise.race([once(child, 'message'), failed])) as [number];
      return elapsedMs;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}
