import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface BenchReceiver extends Disposable {
  /** `http://127.0.0.1:port`, several of them. */
  origins: string[];
  cpuMicroseconds(): Promise<number>;
}

export async function startReceiverProcess(portCount: number): Promise<BenchReceiver> {
  const child = fork(new URL('receiver-process.ts', import.meta.url), [String(portCount)]);
  const [{ ports }] = (await once(child, 'message')) as [{ ports: number[] }];
  return {
    origins: ports.map((port) => `http://127.0.0.1:${port}`),
    async cpuMicroseconds() {
      child.send('cpu');
      const [message] = (await once(child, 'message')) as [{ cpuMicroseconds: number }];
      return message.cpuMicroseconds;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}
