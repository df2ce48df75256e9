import { fork } from 'node:child_process';
import { once } from 'node:events';

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

export function startCeilingProcess(): Ceiling {
  const child = fork(new URL('ceiling-process.ts', import.meta.url));
  const failed = once(child, 'exit').then(() =>
    Promise.reject(new Error('The ceiling could not be measured.')),
  );
  failed.catch(() => undefined);
  return {
    async measure(load) {
      child.send(load);
      const [{ perSecond }] = (await Promise.race([once(child, 'message'), failed])) as [
        { perSecond: number },
      ];
      return perSecond;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}
