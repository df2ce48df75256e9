import { startAnswering } from '../support/answering-process.ts';
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
  const program = new URL('pour-process.ts', import.meta.url);
  const child = await startAnswering(program, [JSON.stringify(options)]);
  return { run: (deliveries) => child.ask(deliveries), [Symbol.dispose]: child[Symbol.dispose] };
}
