import { accountWriter, type Database } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import type { CpuClock } from '@service/webinars';
import { fireElapsedTimers } from './fire-elapsed-timers.ts';
import { fireSessionTimer, type Fired } from './fire-session-timer.ts';

interface FireOptions {
  now: Date;
  deliveries: Pick<Deliveries, 'enqueue'>;
  /** Stops between two transactions; what is left is for the next call. */
  signal?: AbortSignal;
  /** By default the CPU time of this thread. */
  cpuMs?: CpuClock;
}

/** How much later a timer fires than it is due, so that whoever registered at the last moment is seen. */
const marginMs = 1000;

/** Timers of single attendees in one transaction. */
const batchMax = 500;
const pageMax = 2000;

/** Transactions at once: at the full hour many sessions have a timer. */
const lanesMax = 4;

/**
 * Fires the timers of every account that are due. Any number of workers may do so at once: each takes what nobody else has
 * taken. A timer that fails stays due and keeps none of the others from firing; afterwards an AggregateError says why. Returns
 * how many registrations rules looked at.
 */
export async function fireDueTimers(
  database: Pick<Database, 'query' | 'transaction'>,
  options: FireOptions,
): Promise<{ fired: number }> {
  const dueBy = new Date(options.now.getTime() - marginMs);
  const failures: unknown[] = [];
  let fired = 0;
  for (let after = beforeAll; ;) {
    const page = await database.query<DueTimer>(selectDue, [dueBy, after.due_at, after.id, pageMax]);
    const done = await fireBatches(database, toBatches(page), { ...options, dueBy });
    fired += done.fired;
    failures.push(...done.failures);
    if (page.length < pageMax || options.signal?.aborted) break;
    after = page.at(-1)!;
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} timers failed`);
  return { fired };
}

interface DueTimer {
  account_id: string;
  id: string;
  is_of_session: boolean;
  due_at: Date;
}

const beforeAll = { due_at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

const selectDue = {
  name: 'automations.select_due_timers',
  text: `
    select account_id, id, registration_id is null as is_of_session, due_at from automations.timer
    where due_at <= $1 and (due_at, id) > ($2, $3::uuid)
    order by due_at, id limit $4`,
};

/** What one transaction fires: the timer of one session, or timers of attendees of one account. */
interface Batch {
  accountId: string;
  timerIds: readonly string[];
  isOfSession: boolean;
}

/** In the order of what is due first. */
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

type Firing = FireOptions & { dueBy: Date };

/** Fires some batches; sessions with many registrants come back behind the others, a chunk at a time. */
async function fireBatches(
  database: Pick<Database, 'query' | 'transaction'>,
  queue: Batch[],
  options: Firing,
): Promise<{ fired: number; failures: unknown[] }> {
  const failures: unknown[] = [];
  let fired = 0;
  const runLane = async (): Promise<void> => {
    for (let batch = queue.shift(); batch && !options.signal?.aborted; batch = queue.shift()) {
      try {
        const done = await fireBatch(database, batch, options);
        fired += done.fired;
        if (done.goesOn) queue.push(batch);
      } catch (error) {
        // Without a database nothing is the timers' fault.
        await database.query({ text: 'select 1' }, []);
        if (batch.timerIds.length === 1) failures.push(error);
        else queue.push(...halve(batch));
      }
    }
  };
  // All of them have come to rest before anything is thrown.
  const lanes = await Promise.allSettled(Array.from({ length: lanesMax }, runLane));
  const broken = lanes.find((lane) => lane.status === 'rejected');
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
  { now, ...options }: Firing,
): Promise<Fired> =>
  database.transaction(async (tx) => {
    const writer = accountWriter(tx, { accountId, now });
    if (isOfSession) return fireSessionTimer(writer, timerIds[0]!, options);
    return { fired: await fireElapsedTimers(writer, timerIds, options), goesOn: false };
  });
