import { addChanges, type Changed, type ChangedOrEverything } from '@service/changes';
import { databaseTime } from '@service/database';
import { tracked } from '@trpc/server';
import type { StreamMessage } from '../schemas.ts';

export type OpenStream = ReturnType<typeof createOpenStream>;

export type EndReason = Extract<StreamMessage, { ended: string }>['ended'];

type TrackedMessage = ReturnType<typeof tracked<StreamMessage>>;

interface Identity {
  accountId: string;
  userId: string;
  /** The token of the sign-in session. */
  token: string;
}

/** A stream of one page, with the messages that it has not read yet. */
export function createOpenStream(identity: Identity, first: ChangedOrEverything) {
  let waiting: ChangedOrEverything | undefined = first;
  let ended: EndReason | undefined;
  let sinceMs: number | undefined = performance.now();
  let wake = (): void => undefined;

  const take = (): StreamMessage | undefined => {
    const changed = waiting;
    waiting = undefined;
    sinceMs = undefined;
    if (ended !== undefined) return { ended };
    return changed === undefined ? undefined : { changed };
  };
  const ring = (): void => {
    sinceMs ??= performance.now();
    wake();
  };

  return {
    ...identity,
    /** Adds changes to the next message. Changes that wait are merged, so a slow reader needs no more memory. */
    add(changed: ChangedOrEverything): void {
      if (changed === 'everything' || waiting === 'everything') waiting = 'everything';
      else addChanges((waiting ??= {}) as Changed, changed);
      ring();
    },
    /** Makes the reason the last message. */
    end(reason: EndReason): void {
      ended ??= reason;
      ring();
    },
    /** Since when a message has waited for the reader, by `performance.now()`. Undefined when none waits. */
    waitingSinceMs: (): number | undefined => sinceMs,
    /** Yields messages until the end or until the signal aborts. */
    async *read(signal: AbortSignal): AsyncGenerator<TrackedMessage> {
      const onAbort = (): void => wake();
      signal.addEventListener('abort', onAbort);
      try {
        while (!signal.aborted) {
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          const message = take();
          // The id is the time of the message, so that a later stream can begin there, in any process.
          if (message) yield tracked(String(databaseTime().getTime()), message);
          if (ended !== undefined && message) return;
          if (!message) await promise;
        }
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}
