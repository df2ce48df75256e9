import type { EventSubscriber } from '../event/event-subscriber.ts';

export interface ClockOptions {
  now: Date;
  subscriber: EventSubscriber;
  /** Ends the round early: everything has had one batch then, and what is left comes with the next round. */
  signal?: AbortSignal | undefined;
  /** Is told what went wrong with one account, session or webinar; the others go on. Left out: the round throws it at its end. */
  onFailure?: (error: unknown) => void;
}

export type Round = Required<Pick<ClockOptions, 'onFailure'>> & ClockOptions;

export interface Batch {
  /** How many it is about. */
  done: number;
  /** Whether there may be more. */
  isFull: boolean;
}

/** Runs batches, one after the other, until one was not full. Returns how many they were about. */
export async function inBatches({ signal }: Round, runBatch: () => Promise<Batch>): Promise<number> {
  let done = 0;
  for (;;) {
    const batch = await runBatch();
    done += batch.done;
    if (!batch.isFull || signal?.aborted) return done;
  }
}

/** Does one account's work, whose trouble is not everybody's. Undefined when it failed. */
export async function attempt<Result>(
  { onFailure }: Round,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    onFailure(error);
    return undefined;
  }
}
