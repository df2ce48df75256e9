import type { SessionSubscriber } from '@service/webinars';
import type { EventSubscriber } from '../event/event-subscriber.ts';

/** Called for the events of attendees and for the sessions that the clock ends. */
export type ClockSubscriber = EventSubscriber & SessionSubscriber;

export interface ClockOptions {
  now: Date;
  subscriber: ClockSubscriber;
  /** Called for each session that was started. Must not throw. */
  onStarted?: (accountId: string, webinarId: string) => void;
  /** Ends the round early, after one batch of each step. The rest is left for the next round. */
  signal?: AbortSignal | undefined;
  /** Gets the error of one account, session or webinar, while the others go on. By default the round throws the errors at its end. */
  onFailure?: (error: unknown) => void;
}

export type Round = Required<Pick<ClockOptions, 'onFailure'>> & ClockOptions;

export interface Batch {
  /** Number of rows in the batch. */
  done: number;
  /** True if there can be more rows. */
  isFull: boolean;
}

/** Runs batches one after the other until one is not full. Returns the number of rows. */
export async function inBatches({ signal }: Round, runBatch: () => Promise<Batch>): Promise<number> {
  let done = 0;
  for (;;) {
    const batch = await runBatch();
    done += batch.done;
    if (!batch.isFull || signal?.aborted) return done;
  }
}

/** Runs the work of one account, so that its error does not stop the others. Returns undefined after an error. */
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
