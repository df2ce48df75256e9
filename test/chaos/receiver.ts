import { fork } from 'node:child_process';
import { once } from 'node:events';

/** One request as it came. Times are of this machine's clock, in milliseconds. */
export interface Receipt {
  /** The header webhook-id, which is the delivery's id. */
  id: string;
  path: string;
  /** When its headers were there. */
  at: number;
  timestampSeconds: number;
  /** Missing while it waits for its answer. */
  endedAt?: number;
  /** Whether the answer went out or the connection was cut before. */
  end?: 'answered' | 'cut';
  /** Only where bodies are kept, as is the next. */
  headers?: Record<string, string>;
  body?: string;
}

export type ReceiverQuestion = 'count' | 'receipts';

export interface ChaosReceiver extends Disposable {
  /** What each path does: receiver-process.ts. */
  origin: string;
  count(): Promise<number>;
  /** All so far, in the order they came. */
  receipts(): Promise<Receipt[]>;
}

export async function startReceiverProcess(keepBodies: boolean): Promise<ChaosReceiver> {
  const child = fork(
    new URL('receiver-process.ts', import.meta.url),
    keepBodies ? ['keep-bodies'] : [],
    // JSON takes seconds for a hundred thousand receipts.
    { serialization: 'advanced' },
  );
  const [port] = (await once(child, 'message')) as [number];
  // Answers carry no number, so one question is asked at a time.
  let last: Promise<unknown> = Promise.resolve();
  const ask = <Answer>(question: ReceiverQuestion): Promise<Answer> => {
    const answer = last.then(async () => {
      child.send(question);
      const [answer] = (await once(child, 'message')) as [Answer];
      return answer;
    });
    last = answer;
    return answer;
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    count: () => ask<number>('count'),
    receipts: () => ask<Receipt[]>('receipts'),
    [Symbol.dispose]: () => void child.kill(),
  };
}
