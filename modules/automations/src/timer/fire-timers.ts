// A worker takes due timers in the order of their times (`fireDueTimers`) and fires them in transactions: those of a session in chunks
// of registrations (`fireSessionTimer`), those of single registrations of an account together (`fireElapsedTimers`).
import { findAttendees, happenedBetween, listRoster, type Attendee } from '@service/attendees';
import type { SkipReason } from '@service/catalogue';
import { createEvaluation, type CpuClock } from '@service/conditions/budget';
import {
  accountWriter,
  column,
  isFirstDue,
  lowestId,
  statement,
  type AccountWriter,
  type Database,
  type RowsOf,
} from '@service/database';
import type { Deliveries } from '@service/deliveries';
import type { Timer } from '../entities.ts';
import { fireRules } from '../evaluation/fire-rules.ts';
import { dueTime, isInAudience, minutesAfter, timerCandidate } from './timer-candidate.ts';
import { findTimerRules, putTimers, takeTimers, type TimerRule } from './timers.ts';

interface FireOptions {
  now: Date;
  deliveries: Pick<Deliveries, 'enqueue'>;
  /** The limit of the waiting mails of an account. */
  mailBacklogMax?: number | undefined;
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

export const hasDueTimer = isFirstDue({ table: 'automations.timer', time: 'due_at' });

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
  /** Timers of this time and earlier ones are due. */
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

/** Registrations of one transaction. */
const chunkMax = 1000;

type TransactionOptions = Pick<BatchOptions, 'deliveries' | 'mailBacklogMax' | 'dueBy' | 'cpuMs'>;

interface Fired {
  /** Registrations that a rule was evaluated for. */
  fired: number;
  /** The session has more registrations, for another transaction. */
  hasMore: boolean;
}

const nothing: Fired = { fired: 0, hasMore: false };

/**
 * Fires a timer for the next registrations of its session and writes the timer back behind them, in one transaction. So a worker
 * that is killed leaves out no registration and repeats none. The transaction with the last registrations deletes the timer.
 */
async function fireSessionTimer(
  tx: AccountWriter,
  timerId: string,
  { deliveries, mailBacklogMax, dueBy, cpuMs }: TransactionOptions,
): Promise<Fired> {
  const [timer] = await takeTimers(tx, [timerId], dueBy);
  if (!timer) return nothing;
  const { ruleId, sessionId, afterRegistrationId } = timer;
  const [rules, attendees] = await Promise.all([
    findTimerRules(tx, [ruleId]),
    listRoster(tx, { sessionId, after: afterRegistrationId ?? undefined, limit: chunkMax }),
  ]);
  const rule = rules.get(ruleId);
  const [first] = attendees;
  if (!rule || !first) return nothing;
  const dueAt = dueTime(timer, rule.trigger, first.session);
  if (!dueAt) return nothing;
  if (dueAt > dueBy) {
    putTimers(tx, [{ ...timer, dueAt, afterRegistrationId: null }]);
    return nothing;
  }
  const candidates = attendees
    .filter((attendee) => isInTime(timer, rule, attendee))
    .map((attendee) =>
      timerCandidate(timer, rule, { attendee, ownReason: audienceReason(timer, rule, attendee) }),
    );
  await fireRules(tx, { deliveries, mailBacklogMax, evaluation: createEvaluation({ cpuMs }) }, candidates);
  const hasMore = attendees.length === chunkMax;
  if (hasMore) putTimers(tx, [{ ...timer, afterRegistrationId: attendees.at(-1)!.registration.id }]);
  return { fired: candidates.length, hasMore };
}

/** A late registration has its execution already: `registered_too_late`, recorded when it was made. */
const isInTime = ({ dueAt }: Timer, { trigger }: TimerRule, { registration }: Attendee): boolean =>
  trigger.type !== 'before_session' || registration.registeredAt < dueAt;

function audienceReason(
  { sourceAt }: Timer,
  { trigger }: TimerRule,
  attendee: Attendee,
): SkipReason | undefined {
  if (trigger.type !== 'after_session' || !sourceAt) return undefined;
  return isInAudience(attendee, trigger.params.audience, sourceAt) ? undefined : 'not_in_audience';
}

interface DescribedTimer {
  timer: Timer;
  rule: TimerRule;
  attendee: Attendee;
  /** With the current rule. It may be later than the timer's own time. */
  dueAt: Date;
}

/**
 * Only the first event of a type starts a timer, so a timer that has fired is kept, which prevents a second one. It is kept as
 * long as history.
 */
const keptMinutes = 90 * 24 * 60;

/** Fires timers of single registrations in one transaction. Returns how many registrations a rule was evaluated for. */
async function fireElapsedTimers(
  tx: AccountWriter,
  timerIds: readonly string[],
  { deliveries, mailBacklogMax, dueBy, cpuMs }: TransactionOptions,
): Promise<number> {
  const found = await describeTimers(tx, await takeTimers(tx, timerIds, dueBy));
  const due = found.filter(({ dueAt }) => dueAt <= dueBy);
  const prevented = await findPrevented(tx, due);
  const candidates = due.map((one) =>
    timerCandidate(one.timer, one.rule, {
      attendee: one.attendee,
      ownReason: prevented.has(one) ? 'other_event_came' : undefined,
    }),
  );
  await fireRules(tx, { deliveries, mailBacklogMax, evaluation: createEvaluation({ cpuMs }) }, candidates);
  const keptUntil = minutesAfter(tx.now, keptMinutes);
  putTimers(
    tx,
    found.map(({ timer, dueAt }) =>
      dueAt > dueBy ? { ...timer, dueAt } : { ...timer, dueAt: keptUntil, sourceAt: null },
    ),
  );
  return candidates.length;
}

/** Adds rule and attendee. Leaves out timers that must not fire any more. */
async function describeTimers(tx: AccountWriter, timers: readonly Timer[]): Promise<DescribedTimer[]> {
  if (timers.length === 0) return [];
  const registrationIds = timers.flatMap(({ registrationId }) => registrationId ?? []);
  const [rules, attendees] = await Promise.all([
    findTimerRules(
      tx,
      timers.map(({ ruleId }) => ruleId),
    ),
    findAttendees(tx, registrationIds),
  ]);
  const attendeeById = new Map(attendees.map((attendee) => [attendee.registration.id, attendee]));
  return timers.flatMap((timer) => {
    const rule = rules.get(timer.ruleId);
    const attendee = attendeeById.get(timer.registrationId ?? '');
    if (!rule || !attendee) return [];
    const dueAt = dueTime(timer, rule.trigger, attendee.session);
    return dueAt ? [{ timer, rule, attendee, dueAt }] : [];
  });
}

/** Finds the timers whose `unlessEvent` has come in the meantime. */
async function findPrevented(
  tx: AccountWriter,
  due: readonly DescribedTimer[],
): Promise<Set<DescribedTimer>> {
  const searches = due.flatMap((one) => {
    const { timer, rule, attendee } = one;
    if (rule.trigger.type !== 'time_elapsed_after_event') return [];
    const { unlessEvent: type } = rule.trigger.params;
    if (!type || !timer.sourceAt) return [];
    return [{ one, type, registrationId: attendee.registration.id, from: timer.sourceAt, to: timer.dueAt }];
  });
  const found = await happenedBetween(tx, searches);
  return new Set([...found].map(({ one }) => one));
}
