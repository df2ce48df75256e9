// The connection on which migrations run. Other statements never wait long for a migration: a strong lock is waited for only
// briefly and tried again, and work that takes long has weak locks. The migration itself may wait long, and says so.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { lockTimeoutMs, tryBriefly } from '../brief-lock.ts';
import { isLockRefusal } from '../pg-error.ts';

export interface SessionOptions {
  url: string;
  /** Gets lines about the progress and the waits. */
  report?: (line: string) => void;
  /** The longest wait for a strong lock or another migrator; 10 minutes. Afterwards the migration fails, and can be run again. */
  lockWaitMaxMs?: number;
}

export interface MigrationSession extends AsyncDisposable {
  client: pg.Client;
  report: (line: string) => void;
  /** Runs statements as one transaction. `what` names the work in lines and errors. Throws when the wait was too long. */
  change(what: string, statements: readonly string[]): Promise<void>;
  /** Runs one statement like `change`, and returns its rows. */
  changeRows<Row extends pg.QueryResultRow>(what: string, text: string, values: unknown[]): Promise<Row[]>;
  /** Runs a statement that takes long and that no reader or writer waits for. Returns false after a deadlock. */
  takeTime(what: string, text: string): Promise<boolean>;
  /**
   * Tries again until `attempt` returns true, and reports every few seconds which process is in the way. Throws when that took too long.
   * `holder` is a statement for that process; by default the one with the oldest transaction.
   */
  untilFree(what: string, attempt: () => Promise<boolean>, holder?: string): Promise<void>;
}

/** The code makes `npm run migrate` print the message without a stack. */
class LockWaitError extends Error {
  readonly code = 'lock_wait';
}

const lockWaitUsualMs = 600_000;
const pauseMs = 200;
const reportEveryMs = 5000;

export async function openMigrationSession({
  url,
  report = () => undefined,
  lockWaitMaxMs = lockWaitUsualMs,
}: SessionOptions): Promise<MigrationSession> {
  const client = await connect(url, 'migrate');
  const observer = await connect(url, 'migrate-observer');
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = rows[0]!.pid;

  const untilFree: MigrationSession['untilFree'] = async (what, attempt, holder = oldestHolder) => {
    const startedAtMs = performance.now();
    let reportedAtMs = -Infinity;
    while (!(await attempt())) {
      const nowMs = performance.now();
      const waited = `${what} has waited for a lock for ${seconds(nowMs - startedAtMs)}`;
      if (nowMs - startedAtMs > lockWaitMaxMs)
        throw new LockWaitError(
          `${waited}, and ends now. ${await describe(observer, holder, [pid])}. Run it again: it goes on at this step.`,
        );
      if (nowMs - reportedAtMs > reportEveryMs) {
        report(`${waited}. ${await describe(observer, holder, [pid])}`);
        reportedAtMs = nowMs;
      }
      await delay(pauseMs);
    }
  };

  return {
    client,
    report,
    untilFree,
    change: (what, statements) => untilFree(what, () => tryBriefly(client, statements)),

    async changeRows<Row extends pg.QueryResultRow>(what: string, text: string, values: unknown[]) {
      let found: Row[] = [];
      await untilFree(what, async () => {
        await client.query(`set lock_timeout = ${lockTimeoutMs}`);
        try {
          ({ rows: found } = await client.query<Row>(text, values));
          return true;
        } catch (error) {
          if (isLockRefusal(error)) return false;
          throw error;
        } finally {
          await client.query('set lock_timeout = 0');
        }
      });
      return found;
    },

    async takeTime(what, text) {
      const startedAtMs = performance.now();
      const timer = setInterval(() => {
        const worked = `${what} has taken ${seconds(performance.now() - startedAtMs)}`;
        describe(observer, blockersOf, [pid]).then(
          (blockers) => report(`${worked}. ${blockers}`),
          () => undefined,
        );
      }, reportEveryMs);
      try {
        await client.query(text);
        return true;
      } catch (error) {
        if (isLockRefusal(error)) return false;
        throw error;
      } finally {
        clearInterval(timer);
      }
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([client.end(), observer.end()]);
    },
  };
}

async function connect(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 10_000,
  });
  // The next statement fails with it.
  client.on('error', () => undefined);
  await client.connect();
  // Limits of the role or the database are for calls of the service.
  await client.query('set statement_timeout = 0; set lock_timeout = 0');
  return client;
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** Autovacuum has no application name. */
const processName = `coalesce(nullif(application_name, ''), backend_type)`;
const transactionAge = `extract(epoch from clock_timestamp() - xact_start)::int as seconds`;

const oldestHolder = `
  select 'The oldest transaction with locks' as role, ${processName} as name, pid, ${transactionAge}
  from pg_stat_activity a
  where datname = current_database() and pid not in ($1, pg_backend_pid()) and xact_start is not null
    and exists (select from pg_locks l where l.pid = a.pid and l.granted and l.locktype = 'relation')
  order by xact_start limit 1`;

const blockersOf = `
  select 'It waits for the transaction' as role, ${processName} as name, pid, ${transactionAge}
  from pg_stat_activity where pid = any(pg_blocking_pids($1)) order by xact_start limit 1`;

async function describe(observer: pg.Client, text: string, values: unknown[]): Promise<string> {
  const { rows } = await observer.query(text, values);
  if (rows.length === 0) return 'No other transaction is in the way now';
  const [{ role, name, pid, seconds: age }] = rows;
  return `${role} is of "${name}", process ${pid}, open for ${age ?? 0} s`;
}
