// Heartbeats of one page, sent in their order, one at a time. While the network is away they wait. The service credits one heartbeat with
// the time since the previous one, at most 90 s, and keeps little of it for a next one. So those that waited are sent as one, and older
// ones are dropped.
import type { HeartbeatOutput } from './protocol.ts';
import type { Interval } from './played-intervals.ts';

export type PlayState = 'playing' | 'paused' | 'ended';

export interface Beat {
  playheadSeconds: number;
  intervals: Interval[];
  state: PlayState;
  visible: boolean;
  segmentId?: string | undefined;
  interactionsVersion?: string | undefined;
}

export interface NumberedBeat extends Beat {
  visitId: string;
  seq: number;
}

export type SendOutcome =
  | { type: 'answered'; answer: HeartbeatOutput }
  /** No answer, or one that says to come again. */
  | { type: 'unreachable'; retryAfterMs?: number | undefined }
  /** The service does not know the visit: the page must open a new one. */
  | { type: 'lost' }
  | { type: 'refused' };

interface QueueOptions {
  visitId: string;
  send(beat: NumberedBeat): Promise<SendOutcome>;
  onOutcome(outcome: SendOutcome): void;
  nowMs?: () => number;
  /** Calls back once. */
  schedule?: (callback: () => void, delayMs: number) => void;
  random?: () => number;
}

export interface HeartbeatQueue {
  add(beat: Beat): void;
  /** Tries at once, as when the network is back. */
  retry(): void;
  /** The waiting heartbeats and this one, joined where possible, to be sent as beacons. The queue sends nothing more. */
  close(beat: Beat): NumberedBeat[];
}

const creditedMs = 90_000;
const intervalsMax = 100;
const firstRetryMs = 1000;
const lastRetryMs = 15_000;

interface Waiting {
  beat: NumberedBeat;
  madeMs: number;
}

export function createHeartbeatQueue({
  visitId,
  send,
  onOutcome,
  nowMs = () => performance.now(),
  schedule = (callback, delayMs) => void setTimeout(callback, delayMs),
  random = Math.random,
}: QueueOptions): HeartbeatQueue {
  let waiting: Waiting[] = [];
  let seq = 0;
  let isSending = false;
  let isClosed = false;
  let retryMs = firstRetryMs;
  let retryAtMs = 0;

  const number = (beat: Beat): NumberedBeat => {
    seq += 1;
    return { ...beat, visitId, seq };
  };

  const dropOld = (): void => {
    while (waiting.length > 1 && nowMs() - waiting[0]!.madeMs > creditedMs) waiting.shift();
  };

  const sendWaiting = async (): Promise<void> => {
    while (!isClosed && nowMs() >= retryAtMs) {
      dropOld();
      const batch = takeBatch(waiting);
      if (batch.length === 0) break;
      const outcome = await send(joinBeats(batch));
      if (outcome.type === 'unreachable') {
        // A random wait: after a restart of the server not all pages come at once.
        const waitMs = Math.max(outcome.retryAfterMs ?? 0, retryMs * (0.5 + random() / 2));
        const atMs = nowMs() + waitMs;
        retryAtMs = atMs;
        retryMs = Math.min(retryMs * 2, lastRetryMs);
        schedule(() => retryFrom(atMs), waitMs);
      } else {
        waiting = waiting.filter((one) => !batch.includes(one));
        retryMs = firstRetryMs;
        if (outcome.type === 'lost') isClosed = true;
      }
      onOutcome(outcome);
    }
  };

  const pump = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    try {
      await sendWaiting();
    } finally {
      isSending = false;
    }
  };

  /** Ends the wait until this time. A timer can fire a little before its time, and after a newer wait has begun. */
  const retryFrom = (atMs: number): void => {
    if (retryAtMs !== atMs) return;
    retryAtMs = 0;
    void pump();
  };

  return {
    add(beat) {
      if (isClosed) return;
      waiting.push({ beat: number(beat), madeMs: nowMs() });
      dropOld();
      void pump();
    },
    retry() {
      retryAtMs = 0;
      void pump();
    },
    close(beat) {
      isClosed = true;
      const beats: NumberedBeat[] = [];
      let rest = [...waiting, { beat: number(beat), madeMs: nowMs() }];
      while (rest.length > 0) {
        const batch = takeBatch(rest);
        beats.push(joinBeats(batch));
        rest = rest.slice(batch.length);
      }
      return beats;
    },
  };
}

/** The first heartbeats that one can stand for: those of one segment, up to its end. */
function takeBatch(waiting: readonly Waiting[]): Waiting[] {
  const last = waiting.findIndex(({ beat }, index) => {
    const next = waiting[index + 1]?.beat;
    return !next || beat.state === 'ended' || beat.segmentId !== next.segmentId;
  });
  return waiting.slice(0, last + 1);
}

/**
 * The last heartbeat with the intervals of all. Its number is new. An earlier one in flight may have arrived: its intervals count once,
 * however often they are sent.
 */
const joinBeats = (beats: readonly Waiting[]): NumberedBeat => ({
  ...beats.at(-1)!.beat,
  intervals: beats.flatMap(({ beat }) => beat.intervals).slice(-intervalsMax),
});
