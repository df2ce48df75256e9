import { join } from 'node:path';
import { type AnsweringProcess, startAnswering } from '../support/answering-process.ts';

/** Workers that wait for their turn. A start takes longer than the life of a worker. */
const standbyMax = 4;

interface WorkerProgram {
  /** It begins to work when it is asked to. */
  program: URL;
  args: readonly string[];
  /** The output of the programs. */
  onText?: (text: string) => void;
}

/** One worker at a time works, and others wait for their turn, because a drill kills a thousand of them. */
export async function startWorkers({ program, args, onText }: WorkerProgram) {
  const start = (): Promise<AnsweringProcess<number>> => startAnswering<number>(program, args, { onText });
  // A start takes half the time with the cache.
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/node-compile');
  const standby = Array.from({ length: standbyMax }, start);
  let active: AnsweringProcess<number> | undefined;
  const goOn = async (): Promise<void> => {
    if (active) return;
    active = await standby.shift()!;
    standby.push(start());
    await active.ask('start');
  };
  await goOn();
  return {
    goOn,
    kill(): void {
      if (active) process.kill(active.pid, 'SIGKILL');
      active = undefined;
    },
    async [Symbol.asyncDispose]() {
      active?.[Symbol.dispose]();
      for (const waiting of await Promise.all(standby)) waiting[Symbol.dispose]();
    },
  };
}
