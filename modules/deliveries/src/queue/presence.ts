// Whether a worker lives is what Postgres knows: each holds the advisory lock of its number on a connection of its own, and
// the lock is gone the moment the process is, long before any lease ends.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseTime, readDatabaseTime, type Database } from '@service/database';
import type { Log } from '@service/log';
import {
  addWorker,
  findMissingWorkers,
  prepareSession,
  recoverFrom,
  removeWorker,
  takeNumber,
} from './presence.sql.ts';
import { dueChannel } from './wake.ts';

type Connection = Awaited<ReturnType<Database['connect']>>;

interface PresenceOptions {
  database: Pick<Database, 'connect'>;
  /** Something is due. */
  onWake: () => void;
  /** So many deliveries of a worker that died are anybody's again. */
  onRecovered: (count: number) => void;
  log: Log;
  /** How long a worker may be missing before its deliveries are taken: time to come back after Postgres was restarted. */
  missingMaxMs?: number;
}

export interface Presence {
  /** This worker's number while others can see that it lives. Nothing may be claimed without one. */
  number(): number | undefined;
  /** The database's clock, as well as it is known. Every comparison of times is Postgres's own; this is for what is sent. */
  now(): Date;
  start(): void;
  /** Gives the number back. Must be called after the last result is written. */
  stop(): Promise<void>;
}

const lookEveryMs = 1000;
const reconnectMs = 250;

export function createPresence(options: PresenceOptions): Presence {
  const { database, onWake, onRecovered, log, missingMaxMs = 3000 } = options;
  let number = randomNumber();
  let isPresent = false;
  let connection: Connection | undefined;
  let living: Promise<void> | undefined;
  let missingSince = new Map<number, number>();
  const stopping = new AbortController();

  const live = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await appear();
        while (!stopping.signal.aborted) {
          await look();
          await delay(lookEveryMs, undefined, { signal: stopping.signal });
        }
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'Not seen by other workers; connecting again');
      }
      if (stopping.signal.aborted) return;
      isPresent = false;
      missingSince = new Map();
      await connection?.end().catch(() => undefined);
      await delay(reconnectMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  const appear = async (): Promise<void> => {
    const opened = await database.connect();
    connection = opened;
    opened.on('notification', onWake);
    // Whoever waits for a query is told by it; between queries nobody would be.
    opened.on('end', () => void (isPresent = false));
    await opened.query(prepareSession);
    while (!(await opened.query<{ taken: boolean }>(takeNumber, [number])).rows[0]!.taken)
      number = randomNumber();
    await opened.query(addWorker, [number]);
    await readDatabaseTime(opened);
    await opened.query(`listen ${dueChannel}`);
    isPresent = true;
    // What was announced while nobody listened.
    onWake();
  };

  const look = async (): Promise<void> => {
    await readDatabaseTime(connection!);
    const { rows } = await connection!.query<{ number: number }>(findMissingWorkers);
    const nowMs = performance.now();
    missingSince = new Map(rows.map((row) => [row.number, missingSince.get(row.number) ?? nowMs]));
    for (const [missing, sinceMs] of missingSince)
      if (nowMs - sinceMs >= missingMaxMs) await recover(missing);
  };

  const recover = async (missing: number): Promise<void> => {
    const { rowCount } = await connection!.query(recoverFrom, [missing]);
    missingSince.delete(missing);
    if (!rowCount) return;
    log.warn({ worker: missing, deliveries: rowCount }, 'A worker is gone; what it held is sent again');
    onRecovered(rowCount);
    onWake();
  };

  return {
    number: () => (isPresent ? number : undefined),
    now: databaseTime,
    start: () => void (living ??= live()),
    async stop() {
      stopping.abort();
      await living;
      if (isPresent) await connection?.query(removeWorker, [number]).catch(() => undefined);
      isPresent = false;
      await connection?.end().catch(() => undefined);
    },
  };
}

const randomNumber = (): number => randomInt(1, 2 ** 31 - 1);
