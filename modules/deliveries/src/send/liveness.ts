// Worker liveness by advisory lock. Each worker keeps the lock of its number on a connection of its own. Postgres frees the
// lock when the process dies, long before any lease ends, and other workers then take over its claims.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { nextMultipleMs } from '@service/background';
import {
  column,
  databaseTime,
  nullable,
  observeDatabaseTime,
  queryOn,
  statement,
  type Database,
  type Query,
} from '@service/database';
import type { Log } from '@service/log';
import { scanSettings } from '../queue/claim.sql.ts';
import { dueChannel } from '../queue/wake.ts';

/** A process that delivers. It is alive while the advisory lock of its number is taken. */
export const Worker = defineEntity({
  name: 'Worker',
  tableName: 'worker',
  schema: 'deliveries',
  properties: {
    number: p.integer().primary().autoincrement(false),
    startedAt: p.datetime(3),
    /** Always true: an API of the former version stores bodies twice while it is false. The next release stops writing it. */
    readsBodies: p.boolean().default(false),
  },
});

type Connection = Awaited<ReturnType<Database['connect']>>;

interface LivenessOptions {
  database: Pick<Database, 'connect' | 'query'>;
  /** This many claims of a dead worker were released. */
  onTakenOver: (count: number) => void;
  log: Log;
  /** The claims of a worker are taken over when it has been missing for this long. It may only have lost its connection. */
  missingMaxMs?: number | undefined;
}

/** `isAlone`: no other worker was notified. */
type OnDue = (notified?: { isAlone: boolean }) => void;

const checkEveryMs = 200;
/** Of a worker without others. One that starts notifies it. */
const seldomEveryMs = 5000;
const reconnectMs = 250;

/**
 * All connections are lost together when Postgres restarts. So a worker that has connected again less than this many times `missingMaxMs`
 * ago gives the others as long to do the same.
 */
const patience = 5;

export function createLiveness(options: LivenessOptions) {
  const { database, onTakenOver, log, missingMaxMs = 600 } = options;
  let number = randomNumber();
  let isLocked = false;
  let connection: Connection | undefined;
  let running: Promise<void> | undefined;
  let missingSince = new Map<number, number>();
  let reconnectedAtMs = Number.NEGATIVE_INFINITY;
  let endRest = (): void => undefined;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function keepAlive(onDue: OnDue): Promise<void> {
    while (!signal.aborted) {
      try {
        await lockNumber(onDue);
        while (!signal.aborted) {
          const resting = new AbortController();
          endRest = () => resting.abort();
          const hasOthers = await takeOverMissing(onDue);
          const restMs = hasOthers ? checkEveryMs : nextMultipleMs(seldomEveryMs) - performance.now();
          await delay(restMs, undefined, { signal: resting.signal }).catch(() => undefined);
        }
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'The liveness connection was lost; connecting again');
      }
      if (signal.aborted) return;
      isLocked = false;
      missingSince = new Map();
      reconnectedAtMs = performance.now();
      await connection?.end().catch(() => undefined);
      await delay(reconnectMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async function lockNumber(onDue: OnDue): Promise<void> {
    const opened = await database.connect();
    connection = opened;
    opened.on('notification', ({ payload }) => {
      if (payload === workerStarted) endRest();
      else if (payload === '') onDue();
      else if (payload === String(number)) onDue({ isAlone: true });
    });
    // Between two queries only this event says that the connection is lost.
    opened.on('end', () => {
      isLocked = false;
      endRest();
    });
    await opened.query(prepareSession);
    const query = queryOn(opened);
    while (!(await query(tryLockNumber, [number]))[0]!.locked) number = randomNumber();
    await query(addWorker, [number]);
    await listWorkers(opened, number);
    await opened.query(`listen ${dueChannel}`);
    isLocked = true;
    // Notifications may have been missed before `listen`.
    onDue();
  }

  /** Returns true if there are other workers. */
  async function takeOverMissing(onDue: OnDue): Promise<boolean> {
    const nowMs = performance.now();
    const workers = await listWorkers(connection!, number);
    const missingNow = workers.filter(({ isMissing }) => isMissing);
    const patientMs = patience * missingMaxMs;
    const waitMs = nowMs - reconnectedAtMs < patientMs ? patientMs : missingMaxMs;
    missingSince = new Map(missingNow.map((one) => [one.number, missingSince.get(one.number) ?? nowMs]));
    for (const [missing, sinceMs] of missingSince) {
      if (nowMs - sinceMs < waitMs) continue;
      // Over the pool: claims over this connection would wait for it.
      const [released] = await database.query(takeOver, [missing]).catch((error: unknown) => {
        log.error({ err: error, worker: missing }, 'The claims of a dead worker could not be released');
        return [];
      });
      // The next check tries again.
      if (!released) continue;
      const { count } = released;
      missingSince.delete(missing);
      if (count === 0) continue;
      log.warn({ worker: missing, deliveries: count }, 'A worker died; its claims were released');
      onTakenOver(count);
      onDue();
    }
    return workers.length > 1;
  }

  return {
    /** This worker's number while it has its lock. Nothing may be claimed without one. */
    number: (): number | undefined => (isLocked ? number : undefined),
    /** Sends a statement over the connection of the lock. Throws while there is none. */
    query: ((wanted, values) => {
      if (!connection) throw new Error('This worker has no liveness connection.');
      return queryOn(connection)(wanted, values);
    }) satisfies Query,
    /** The database's time as this process estimates it, for headers and attempts. Postgres itself compares due times. */
    now: databaseTime,
    /** `onDue` is called when something may be due. */
    start: (onDue: OnDue): void => void (running ??= keepAlive(onDue)),
    /** Gives the number back. Must be called after the last result is written. */
    async stop(): Promise<void> {
      stopping.abort();
      endRest();
      await running;
      if (isLocked && connection) await queryOn(connection)(removeWorker, [number]).catch(() => undefined);
      isLocked = false;
      await connection?.end().catch(() => undefined);
    },
  };
}

const randomNumber = (): number => randomInt(1, 2 ** 31 - 1);

/** The first half of the advisory lock of every worker. Any fixed number. */
const lockClass = 1_684_434_290;

// A machine that vanished without closing its connections is noticed within 15 s.
const prepareSession = `
  set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3; set statement_timeout = '30s';
  ${scanSettings}`;

/** $1 the number. False if another worker has it. */
const tryLockNumber = statement({
  text: `select pg_try_advisory_lock(${lockClass}, $1) as locked`,
  row: { locked: column.boolean },
});

/** The payload of a notification after which the other workers look at once which workers there are. */
const workerStarted = 'started';

/** $1 the number. The row may exist from before the connection was lost. */
const addWorker = statement({
  text: `
    with added as (
      insert into deliveries.worker (number, started_at, reads_bodies) values ($1, now(), true) on conflict (number) do nothing
    )
    select pg_notify('${dueChannel}', '${workerStarted}')`,
});

/** $1 the number. */
const removeWorker = statement({
  text: `delete from deliveries.worker where number = $1`,
});

/** $1 the number of this worker. All workers, and the database's time. Others whose lock is free are missing. */
const selectWorkers = statement({
  name: 'deliveries.list_workers',
  text: `
    select extract(epoch from clock_timestamp())::float8 * 1000 as ms, number, number <> $1 and not exists (
      select from pg_locks
      where locktype = 'advisory' and classid = ${lockClass} and objid = worker.number and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())
    ) as "isMissing"
    from (select) one left join deliveries.worker on true`,
  row: { ms: column.float, number: nullable(column.integer), isMissing: column.boolean },
});

/** Also corrects this process's estimate of the database's time. */
async function listWorkers(
  connection: Connection,
  own: number,
): Promise<{ number: number; isMissing: boolean }[]> {
  const sentAtMs = performance.now();
  const rows = await queryOn(connection)(selectWorkers, [own]);
  observeDatabaseTime(rows[0]!.ms, sentAtMs);
  return rows.flatMap(({ number, isMissing }) => (number === null ? [] : [{ number, isMissing }]));
}

/**
 * $1 the number of a dead worker. When several workers notice its death, only one finds its row. Reads the whole queue: that
 * is rare, and so no claim pays for an index.
 */
const takeOver = statement({
  text: `
    with dead as (
      delete from deliveries.worker where number = $1 returning number
    ), released as (
      update deliveries.due set claim = null, leased_until = null, due_at = now()
      from dead where due.worker = dead.number and due.claim is not null
      returning 1
    )
    select count(*)::integer as count from released`,
  allAccounts: 'A worker sends the deliveries of every account.',
  row: { count: column.integer },
});
