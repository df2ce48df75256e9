import { isTakenBack } from '@service/database';
import { webinarErrors } from '../errors.ts';
import type { JoinLinks, JoinToken } from '../registration/join-token.ts';
import { answer } from './acts/answer.ts';
import { beat, leave } from './acts/beat.ts';
import { click } from './acts/click.ts';
import { enter } from './acts/enter.ts';
import { say } from './acts/say.ts';
import { takeBranch } from './acts/take-branch.ts';
import { createGathering } from './gather.ts';
import { identify } from './identify.ts';
import type { Room } from './room.ts';
import { runCalls, type CallResult, type RoomOptions } from './run-calls.ts';
import type { Call } from './scene.ts';

interface CreateRoomOptions extends RoomOptions {
  joinLinks: JoinLinks;
  /** Calls in one transaction. */
  batchMax?: number;
}

/** How long the first of a batch waits for others: heartbeats are in no hurry, and together they are few statements. */
const waitMs = 10;
const batches = 4;
const waitingMax = 20_000;

interface Waiting {
  call: Call;
  settle: (result: CallResult) => void;
}

/** What attendees do, of all sessions together: what comes within a few milliseconds is one transaction. */
export function createRoom(options: CreateRoomOptions): Room {
  const { joinLinks, batchMax = 100 } = options;
  const gathering = createGathering<Waiting>({
    run: (waiting) => runAll(options, waiting),
    waitMs,
    batchMax,
    batches,
    waitingMax,
  });

  const run = async <Result>(call: Call<Result>): Promise<Result> => {
    const { promise, resolve } = Promise.withResolvers<CallResult>();
    if (!gathering.add({ call, settle: resolve })) throw webinarErrors.room_busy({ retryAfterSeconds: 1 });
    const result = await promise;
    if (!result.ok) throw result.error;
    return result.answer as Result;
  };

  const read = (join: string): JoinToken => {
    const token = joinLinks.read(join);
    if (!token) throw webinarErrors.join_link_expired();
    return token;
  };

  return {
    enter: async (join) =>
      run({
        token: read(join),
        interactions: 'all',
        isFirst: true,
        act: (scene) => enter(scene, joinLinks),
      }),
    heartbeat: async (join, input) => run({ token: read(join), act: (scene) => beat(scene, input) }),
    leave: async (join, input) =>
      void (await run({ token: read(join), act: (scene) => leave(scene, input) })),
    click: async (join, id) =>
      run({ token: read(join), interactions: { id }, isFirst: true, act: (scene) => click(scene, id) }),
    async follow(clickToken) {
      const token = joinLinks.readClick(clickToken);
      if (!token) throw webinarErrors.join_link_expired();
      const { interactionId: id } = token;
      return run({ token, interactions: { id }, isFirst: true, act: (scene) => click(scene, id) });
    },
    answer: async (join, id, { optionId }) =>
      run({
        token: read(join),
        interactions: { id },
        isFirst: true,
        act: (scene) => answer(scene, id, optionId),
      }),
    say: async (join, { text }) =>
      run({ token: read(join), isFirst: true, act: (scene) => say(scene, text) }),
    takeBranch: async (join, branchId) =>
      run({ token: read(join), act: (scene) => takeBranch(scene, branchId) }),
    identify: async (join) => identify(options.database, read(join)),
    close: () => gathering.drain(),
  };
}

/**
 * When something is wrong with one call, the others of its batch need not suffer: each is tried by itself. But not when the
 * batch may have been committed: a click would count twice.
 */
async function runAll(options: RoomOptions, waiting: readonly Waiting[]): Promise<void> {
  const progress = { isWritten: false };
  try {
    const calls = waiting.map(({ call }) => call);
    const results = await runCalls(options, calls, progress);
    for (const [index, { settle }] of waiting.entries()) settle(results[index]!);
  } catch (error) {
    const isUndone = !progress.isWritten || isTakenBack(error);
    if (isUndone && waiting.length > 1) for (const one of waiting) await runAll(options, [one]);
    else for (const { settle } of waiting) settle({ ok: false, error });
  }
}
