import { isLockRefusal, isTakenBack } from '@service/database';
import type { HeartbeatInput } from '../attendance/heartbeat-input.ts';
import { attendeeErrors } from '../errors.ts';
import type { JoinLinks, JoinToken } from '../registration/join-token.ts';
import { answer, click, say, view } from './handlers/respond.ts';
import { leave } from './handlers/heartbeats.ts';
import { enter } from './handlers/enter.ts';
import { takeBranch } from './handlers/take-branch.ts';
import { heartbeatsToCall, type LineEntry } from './attendee-line.ts';
import { type BatchOutcome, createCallQueue } from './call-queue.ts';
import { createFormerProof, createIdentifier } from './identify.ts';
import type { Room } from './room.ts';
import { type CallResult, locked, type RoomOptions, type RoomParts, runCalls } from './run-calls.ts';
import type { RoomCall } from './room-call.ts';
import type { HeartbeatOutput } from './schemas.ts';
import { createInteractionCache } from './shown-interactions.ts';

interface CreateRoomOptions extends RoomOptions {
  joinLinks: JoinLinks;
  /** Calls in one transaction. */
  batchMax?: number;
  /** A call waits at most this long for locked rows. */
  waitMaxMs?: number;
}

/** Heartbeats are not urgent, and a batch of them needs few statements. */
const gatherMs = 10;
/** A process has ten connections. With only two batches of one account at once, Postgres is idle half of the time. */
const batchesMax = 6;
const accountBatchesMax = 4;
const refusedBatchesMax = 3;
const callsMax = 20_000;
const accountCallsMax = 10_000;

/** Creates the room of all sessions. Calls of one account within 10 ms are one transaction. */
export function createRoom(options: CreateRoomOptions): Room {
  const { joinLinks, batchMax = 100, waitMaxMs = 5000 } = options;
  const parts = { ...options, interactionCache: createInteractionCache() };
  const former = createFormerProof(options.database.query);
  const identifier = createIdentifier(options.database.query);
  const queue = createCallQueue({
    run: (batch) => runBatch(parts, batch),
    gatherMs,
    batchMax,
    batchesMax,
    accountBatchesMax,
    refusedBatchesMax,
    callsMax,
    accountCallsMax,
    waitMaxMs,
  });

  const wait = async <Result>(entry: Pick<LineEntry, 'call' | 'heartbeats' | 'isMove'>): Promise<Result> => {
    const { promise, resolve } = Promise.withResolvers<CallResult>();
    const isAdded = queue.add({
      ...entry,
      settles: [resolve],
      waitsSinceMs: performance.now(),
      isAlone: false,
    });
    if (!isAdded) throw attendeeErrors.room_busy({ retryAfterSeconds: 1 });
    const result = await promise;
    if (!result.ok) throw result.error;
    return result.answer as Result;
  };
  const run = <Result>(call: RoomCall<Result>): Promise<Result> => wait({ call });
  const beat = (token: JoinToken, input: HeartbeatInput): Promise<HeartbeatOutput> =>
    wait({ call: heartbeatsToCall(token, [input]), heartbeats: [input] });

  return {
    read: (join) => joinLinks.read(join),
    readClick: (clickToken) => joinLinks.readClick(clickToken),
    prove: (claimed) => former.prove(claimed),
    enter: (token) => run({ token, interactions: 'all', isFirst: true, handle: enter }),
    heartbeat: beat,
    leave: async (token, input) => void (await run({ token, handle: (found) => leave(found, input) })),
    click: (token, id) =>
      run({ token, interactions: { id }, isFirst: true, handle: (found) => click(found, id) }),
    follow: ({ interactionId: id, ...token }) =>
      run({ token, interactions: { id }, isFirst: true, handle: (found) => click(found, id) }),
    view: (token, id) =>
      run({ token, interactions: { id }, isFirst: true, handle: (found) => view(found, id) }),
    answer: (token, id, { optionId }) =>
      run({ token, interactions: { id }, isFirst: true, handle: (found) => answer(found, id, optionId) }),
    say: (token, message) =>
      run({ token, isFirst: true, replyTo: message.replyTo, handle: (found) => say(found, message) }),
    takeBranch: (token, branchId, input) =>
      wait({ call: { token, handle: (found) => takeBranch(found, branchId, input) }, isMove: true }),
    identify: (token) => identifier.identify(token),
    async close() {
      await Promise.all([queue.drain(), former.drain(), identifier.drain()]);
    },
  };
}

/**
 * If a batch fails, each of its calls is tried alone, so that one bad call does not fail the others. Not if the batch may have
 * been committed, because a click would count twice.
 */
async function runBatch(parts: RoomParts, batch: readonly LineEntry[]): Promise<BatchOutcome> {
  const progress = { isWritten: false };
  try {
    const calls = batch.map(({ call }) => call);
    const results = await runCalls(parts, calls, progress);
    return {
      isLockRefused: false,
      outcomes: results.map((result) => (result === locked ? { again: 'later' } : result)),
    };
  } catch (error) {
    const isUndone = !progress.isWritten || isTakenBack(error);
    const isLockRefused = isUndone && isLockRefusal(error);
    const isAlone = batch.length === 1;
    return {
      isLockRefused,
      outcomes: batch.map(() => {
        if (!isUndone || (isAlone && !isLockRefused)) return { ok: false, error };
        if (isLockRefused) return { again: isAlone ? 'later' : 'alone' };
        return { again: 'alone', error };
      }),
    };
  }
}
