import { startAnswering } from '../support/answering-process.ts';

export interface CeilingLoad {
  urls: readonly string[];
  body: string;
  requests: number;
  concurrency: number;
  /** True: each request gets a signature of its own. False: all have the same. */
  signEach: boolean;
}

export interface Ceiling extends Disposable {
  /** Posts one body over and over with nothing around it: the most this machine can send, in requests per second. */
  measure(load: CeilingLoad): Promise<number>;
}

export async function startCeilingProcess(): Promise<Ceiling> {
  const child = await startAnswering(new URL('ceiling-process.ts', import.meta.url));
  return { measure: (load) => child.ask(load), [Symbol.dispose]: child[Symbol.dispose] };
}
