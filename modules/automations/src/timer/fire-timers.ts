import { accountWriter, column, lowestId, statement, type Database, type RowsOf } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import type { CpuClock } from '@service/conditions/budget';
import { fireElapsedTimers } from './fire-elapsed-timers.ts';
import { fireSessionTimer, type Fired } from './fire-session-timer.ts';

interface FireOptions {
  now: Date;
  deliveries: Pick<Deliveries, 'enqueue'>;
  /** Called after a commit that fired timers of an account. Must not throw. */
  onFired?: (accountId: string) => void;
  /** Stops between two transactions. The next call fires the other timers. */
  signal?: AbortSignal;
  /** Default: the CPU time of this thread. */
  cpuMs?: CpuClock;
  /** After this time the rest of a session with many registrations is left to the next call. */
  continueMs?: number;
}

/**
 * Three rules for a session of a hundred thousand registrations take a minute. Timers of others that come due meanwhile must not
 * wait for the end.
 */
const continueMsDefault = 5000;

/** Timers fire a second late, so that a registration at the last moment is committed by then. */
const marginMs = 1000;

/** Timers of single registrations in one transaction. */
const batchMax = 500;
const pageMax = 2000;

/** Parallel transactions: at the full hour many sessions have a timer. */
const parallelMax = 4;

/**
 * Fires the due timers of every account. Any number of workers may do so at once: each takes timers that no other has locked. A
 * timer that fails stays due and the others still fire; afterwards an AggregateError is thrown. Returns how many registrations
 * rules were evaluated for.
 */
export async function fireDueTimers(
  database: Pick<Database, 'query' | 'transaction'>,
  options: FireOptions,
): Promise<{ fired: number }> {
  const dueBy = new Date(options.now.getTime() - marginMs);
  const continueUntil = performance.now() + (options.continueMs ?? continueMsDefault);
  const failures: unknown[] = [];
  let fired = 0;
  for (let after = beforeAll; ;) {
    const page = await database.query(selectDue, [dueBy, after.due_at, after.id, pageMax]);
    const done = await fireBatches(database, toBatches(page), { ...options, dueBy, continueUntil });
    fired += done.fired;
    failures.push(...done.failures);
    if (page.length < pageMax || options.signal?.aborted) break;
    after = page.at(-1)!;
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} timers failed`);
  return { fired };
}

const beforeAll = { due_at: new Date(0), id: lowestId };

const selectDue = statement({
  name: 'automations.select_due_timers',
  text: `
    select account_id, id, registration_id is null as is_of_session, due_at from automations.timer
    where due_at <= $1 and (due_at, id) > ($2, $3::uuid)
    order by due_at, id limit $4`,
  allAccounts: 'Timers of every account are fired in the order of their times.',
  row: { account_id: column.id, id: column.id, is_of_session: column.boolean, due_at: column.time },
});

type DueTimer = RowsOf<typeof selectDue>;

const checkDatabase = statement({ text: 'select 1' });

/** The timers of one transaction: the timer of one session, or timers of registrations of one account. */
interface Batch {
  accountId: string;
  timerIds: readonly string[];
  isOfSession: boolean;
}

/** Ordered by due time. */
function toBatches(page: readonly DueTimer[]): Batch[] {
  const batches = Map.groupBy(page, (timer) => (timer.is_of_session ? timer.id : timer.account_id));
  return [...batches.values()].flatMap((timers) =>
    inPieces(
      timers.map(({ id }) => id),
      batchMax,
    ).map((timerIds) => ({
      accountId: timers[0]!.account_id,
      timerIds,
      isOfSession: timers[0]!.is_of_session,
    })),
  );
}

interface BatchOptions extends FireOptions {
  dueBy: Date;
  /** By performance.now(). */
  continueUntil: number;
}

/** Fires batches. A session with many registrations goes back to the end of the queue after each chunk. */
async function fireBatches(
  database: Pick<Database, 'query' | 'transaction'>,
  queue: Batch[],
  options: BatchOptions,
): Promise<{ fired: number; failures: unknown[] }> {
  const failures: unknown[] = [];
  let fired = 0;
  const fireFromQueue = async (): Promise<void> => {
    for (let batch = queue.shift(); batch && !options.signal?.aborted; batch = queue.shift()) {
      try {
        const done = await fireBatch(database, batch, options);
        fired += done.fired;
        if (done.hasMore && performance.now() < options.continueUntil) queue.push(batch);
      } catch (error) {
        // Throws if the database is down. Otherwise the fault is in a timer of this batch.
        await database.query(checkDatabase, []);
        if (batch.timerIds.length === 1) failures.push(error);
        else queue.push(...halve(batch));
      }
    }
  };
  // Throws only when every transaction has ended.
  const runs = await Promise.allSettled(Array.from({ length: parallelMax }, fireFromQueue));
  const broken = runs.find((run) => run.status === 'rejected');
  if (broken) throw broken.reason;
  return { fired, failures };
}

const halve = ({ timerIds, ...rest }: Batch): Batch[] =>
  inPieces(timerIds, Math.ceil(timerIds.length / 2)).map((half) => ({ ...rest, timerIds: half }));

const inPieces = (ids: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );

const fireBatch = (
  database: Pick<Database, 'transaction'>,
  { accountId, timerIds, isOfSession }: Batch,
  { now, ...options }: BatchOptions,
): Promise<Fired> =>
  database.transaction(async (tx) => {
    const writer = accountWriter(tx, { accountId, now });
    tx.afterCommit(() => options.onFired?.(accountId));
    if (isOfSession) return fireSessionTimer(writer, timerIds[0]!, options);
    return { fired: await fireElapsedTimers(writer, timerIds, options), hasMore: false };
  });
