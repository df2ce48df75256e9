import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface Receipt {
  deliveryId: string;
  /** By `clockMs`, when the whole body was there. */
  atMs: number;
}

export type ReceiverCommand = { kind: 'take' } | { kind: 'hang'; isHanging: boolean };

export interface RecordingReceiver extends Disposable {
  /** `http://127.0.0.1:port`, one for each receiver. */
  origins: string[];
  /** What has come since the last time, retries too. */
  takeReceipts(): Promise<Receipt[]>;
  /** Whether paths under /fickle get no answer from now on. */
  setHanging(isHanging: boolean): Promise<void>;
}

/** Starts receivers in one other process; what they do with a request says its path, as that process's file lists. */
export async function startRecordingReceiver(receivers: number): Promise<RecordingReceiver> {
  const child = fork(new URL('recording-receiver-process.ts', import.meta.url), [String(receivers)], {
    serialization: 'advanced',
  });
  const [ports] = (await once(child, 'message')) as [number[]];
  let last: Promise<unknown> = Promise.resolve();
  // One command at a time, so that each gets its own answer.
  const command = <Answer>(sent: ReceiverCommand): Promise<Answer> => {
    const answer = last.then(async () => {
      child.send(sent);
      const [message] = await once(child, 'message');
      return message as Answer;
    });
    last = answer;
    return answer;
  };
  return {
    origins: ports.map((port) => `http://127.0.0.1:${port}`),
    takeReceipts: () => command({ kind: 'take' }),
    setHanging: (isHanging) => command({ kind: 'hang', isHanging }),
    [Symbol.dispose]: () => void child.kill(),
  };
}
