// The sends of one worker to a fake tool, with limits on, on a clock that jumps: it stands still while statements run, and then goes to
// the next moment that something waits for. So hours pass in seconds, and statements cost no time.
import type { MarketingConnections } from '@service/connections';
import { createContactWorker, type Clock } from '@service/contacts';
import type { Database } from '@service/database';
import type { RevenueReader } from '@service/attendees';
import { createLog } from '@service/log';
import { findSuppressed } from '@service/mails';
import type { ProviderId } from '@service/marketing-providers';
import { createFake, createFakeSend, type ToolFake } from '@service/marketing-providers/testing';
import { setImmediate } from 'node:timers/promises';

interface Simulation {
  database: Database;
  marketing: MarketingConnections;
  readRevenue: RevenueReader;
  connectionId: string;
  tool: ProviderId;
  /** The people whose changes wait become due at random times of this span. */
  arriveWithinMs: number;
  /** From a call to its answer. */
  answerMs: number;
}

export interface Simulated {
  fake: ToolFake;
  /** From the last arrival to the last answer. */
  drainedMs: number;
  calls: number;
  /** Most calls at the same time. */
  openMax: number;
}

/** The period of a worker's search. */
const searchEveryMs = 250;
const limitMs = 24 * 3_600_000;

/** Sends the waiting changes of a connection, which must be the only ones in the database. */
export async function simulateTool({
  database,
  marketing,
  readRevenue,
  connectionId,
  tool,
  arriveWithinMs,
  answerMs,
}: Simulation): Promise<Simulated> {
  const startMs = Date.now();
  const clock = createJumpingClock(startMs);
  const fake = createFake(tool, { now: clock.ms });
  const send = createFakeSend(tool, fake);
  let open = 0;
  let openMax = 0;
  let answeredMs = startMs;
  const worker = createContactWorker({
    database: {
      query: (...call) => clock.during(database.query(...call)),
      transaction: (work) => clock.during(database.transaction(work)),
    },
    marketing: {
      ...marketing,
      open(connection) {
        const opened = marketing.open(connection);
        const simulated: typeof send = async (request) => {
          open += 1;
          openMax = Math.max(openMax, open);
          await clock.wait(answerMs / 2);
          const answer = await send(request);
          await clock.wait(answerMs / 2);
          open -= 1;
          answeredMs = clock.ms();
          return answer;
        };
        return { ...opened, provider: { ...opened.provider, send: simulated } };
      },
    },
    readRevenue,
    readSuppressed: findSuppressed,
    log: createLog('simulation', { level: 'error' }),
    clock,
  });
  await database.pool.query(
    `update contacts.change set due_at = $2::timestamptz + make_interval(secs => $3::float * (hashtext(contact) & 65535) / 65536)
     where connection_id = $1`,
    [connectionId, new Date(startMs), arriveWithinMs / 1000],
  );
  while (clock.ms() < startMs + limitMs) {
    await worker.sendDue();
    const { rows } = await database.pool.query<{ waits: boolean; restUntil: Date | null }>(
      `select exists (select from contacts.change where connection_id = $1) as waits,
         (select rest_until from contacts.lane where connection_id = $1) as "restUntil"`,
      [connectionId],
    );
    const [{ waits, restUntil }] = rows as [(typeof rows)[number]];
    if (!waits) break;
    const restMs = (restUntil?.getTime() ?? 0) - clock.ms();
    await clock.wait(searchEveryMs * Math.max(1, Math.ceil(restMs / searchEveryMs)));
  }
  await worker.stop();
  return { fake, drainedMs: answeredMs - startMs - arriveWithinMs, calls: fake.requests.length, openMax };
}

/** The turns of the event loop in which a result leads to the next statement or wait. */
const quietTurns = 4;

function createJumpingClock(startMs: number) {
  let nowMs = startMs;
  let statements = 0;
  /** Changes with each statement and wait. */
  let events = 0;
  let isWatching = false;
  let waiting: { untilMs: number; resolve: () => void }[] = [];

  const jump = (): void => {
    nowMs = Math.max(nowMs, Math.min(...waiting.map(({ untilMs }) => untilMs)));
    const due = waiting.filter(({ untilMs }) => untilMs <= nowMs);
    waiting = waiting.filter(({ untilMs }) => untilMs > nowMs);
    for (const { resolve } of due) resolve();
  };

  const watch = async (): Promise<void> => {
    if (isWatching) return;
    isWatching = true;
    while (waiting.length > 0 && statements === 0) {
      let quiet = 0;
      for (
        let seen = events;
        quiet < quietTurns && statements === 0;
        quiet = seen === events ? quiet + 1 : 0
      ) {
        seen = events;
        await setImmediate();
      }
      if (statements === 0) jump();
    }
    isWatching = false;
  };

  return {
    now: () => new Date(nowMs),
    ms: () => nowMs,
    wait(ms: number): Promise<void> {
      events += 1;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ untilMs: nowMs + ms, resolve });
      void watch();
      return promise;
    },
    /** The clock stands still until this has ended. */
    async during<Result>(work: Promise<Result>): Promise<Result> {
      events += 1;
      statements += 1;
      try {
        return await work;
      } finally {
        statements -= 1;
        events += 1;
        void watch();
      }
    },
  } satisfies Clock & Record<string, unknown>;
}
