import { startAnswering } from './answering-process.ts';

/** A request that has come whole. */
export interface Arrival {
  /** The header webhook-id. */
  deliveryId: string;
  /** By `clockMs`, when the whole body was there. */
  atMs: number;
}

/** One request. Times are of this machine's clock, in milliseconds. */
export interface Receipt {
  /** The header webhook-id, which is the delivery's id. */
  id: string;
  path: string;
  /** When its headers were there. */
  at: number;
  timestampSeconds: number;
  /** Missing while it waits for its answer. */
  endedAt?: number;
  /** `cut` when the connection broke before the whole answer was sent. */
  end?: 'answered' | 'cut';
  /** Only with `record: 'bodies'`, as is the next. */
  headers?: Record<string, string>;
  body?: string;
}

export interface ReceiverOptions {
  /** Each has a port of its own. */
  receivers: number;
  /** `arrivals` and `receipts` are the two kinds of records; `bodies` are receipts with headers and body. */
  record: 'nothing' | 'arrivals' | 'receipts' | 'bodies';
}

export type ReceiverQuestion = 'arrivals' | 'count' | 'cpu' | 'receipts' | 'hang' | 'answer';

export interface ReceiverProcess extends Disposable {
  /** `http://127.0.0.1:port`, one for each receiver. The path of a request says how it is answered: see receiver-main.ts. */
  origins: string[];
  /** The requests since the last call of this function, retries too. */
  takeArrivals(): Promise<Arrival[]>;
  /** All so far, in the order they came. */
  receipts(): Promise<Receipt[]>;
  /** With `record: 'arrivals'` the number of those that were not taken. */
  countReceipts(): Promise<number>;
  /** While true, requests below /may-hang get no answer. */
  setHanging(isHanging: boolean): Promise<void>;
  cpuMicroseconds(): Promise<number>;
}

/** Starts receivers in one other process, so that they take no time from the process that measures. */
export async function startReceiverProcess({ receivers, record }: ReceiverOptions): Promise<ReceiverProcess> {
  const main = new URL('receiver-main.ts', import.meta.url);
  const child = await startAnswering<string[]>(main, [String(receivers), record]);
  const ask = <Answer>(question: ReceiverQuestion): Promise<Answer> => child.ask(question);
  return {
    origins: child.first,
    takeArrivals: () => ask('arrivals'),
    receipts: () => ask('receipts'),
    countReceipts: () => ask('count'),
    setHanging: (isHanging) => ask(isHanging ? 'hang' : 'answer'),
    cpuMicroseconds: () => ask('cpu'),
    [Symbol.dispose]: child[Symbol.dispose],
  };
}
