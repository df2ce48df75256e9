// "Send everyone again": a run makes the changes of all people of an account page by page, and never more than a lane can look at.
import { countEmails, listEmails } from '@service/attendees';
import type { MarketingConnection, MarketingConnections } from '@service/connections';
import {
  accountWriter,
  column,
  createId,
  isFirstDue,
  lockLimit,
  queryOn,
  statement,
  type AccountQueries,
  type AccountReader,
  type AccountWriter,
  type Database,
} from '@service/database';
import { queueChanges } from '../change/queue-changes.ts';
import { Run } from '../entities.ts';
import { contactErrors } from '../errors.ts';
import { isLeftOut } from '../sync/sync-change.ts';

/** People whose changes are made in one transaction. */
const pageMax = 500;
/** Waiting changes of a run from which on no more are made. */
const waitingMax = 1000;
/** Runs that a worker looks at in one round. */
const runsMax = 50;

/** Throws tool_not_found, nothing_in_step, run_in_progress. */
export async function startRun(
  tx: AccountWriter,
  marketing: Pick<MarketingConnections, 'findById'>,
  connectionId: string,
): Promise<Run> {
  const { em, accountId, now } = tx;
  const connection = await requireConnection(tx, marketing, connectionId);
  if (!connection.settings.sync.enabled) throw contactErrors.nothing_in_step();
  await lockLimit(tx, 'contact runs');
  if ((await em.count(Run, { accountId, connectionId, status: 'running' })) > 0)
    throw contactErrors.run_in_progress({ retryAfterSeconds: 30 });
  const run: Run = {
    accountId,
    id: createId(),
    connectionId,
    status: 'running',
    total: await countEmails(tx),
    queued: 0,
    leftOut: 0,
    afterContact: '',
    startedAt: now,
    endedAt: null,
    nextAt: now,
  };
  await em.insert(Run, run);
  return run;
}

/** Throws tool_not_found. */
export async function requireConnection(
  reader: AccountQueries,
  marketing: Pick<MarketingConnections, 'findById'>,
  connectionId: string,
) {
  const connection = await marketing.findById(reader, connectionId);
  if (!connection) throw contactErrors.tool_not_found();
  return connection;
}

const deleteOfRun = statement({
  name: 'contacts.delete_changes_of_run',
  text: `
    delete from contacts.change
    where account_id = $1 and connection_id = $2 and run_id = $3::uuid and is_backfill and not is_taken`,
});

/** Ends a run: people whose change has not begun get none. Does nothing when it has ended. Throws run_not_found. */
export async function cancelRun(
  { em, query, accountId, now }: AccountWriter,
  { connectionId, runId }: { connectionId: string; runId: string },
): Promise<void> {
  const run = await em.findOne(Run, { accountId, id: runId, connectionId });
  if (!run) throw contactErrors.run_not_found();
  if (run.status !== 'running') return;
  await em.nativeUpdate(
    Run,
    { accountId, id: runId, status: 'running' },
    { status: 'cancelled', endedAt: now, afterContact: '' },
  );
  await query(deleteOfRun, [accountId, connectionId, runId]);
}

const countOfRuns = statement({
  name: 'contacts.count_changes_of_runs',
  text: `
    select r.id, (select count(*)::int from (
        select from contacts.change c
        where c.account_id = $1 and c.connection_id = $2 and c.is_backfill and c.run_id = r.id limit ${waitingMax * 2}) waiting) as waiting
    from unnest($3::uuid[]) as r (id)`,
  row: { id: column.id, waiting: column.integer },
});

/** The changes of runs that were not sent yet, by run. */
export async function countWaiting(
  { query, accountId }: AccountQueries,
  connectionId: string,
  runIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await query(countOfRuns, [accountId, connectionId, runIds]);
  return new Map(rows.map(({ id, waiting }) => [id, waiting]));
}

/** The newest runs of a connection, the latest first. */
export const listRuns = ({ em, accountId }: AccountReader, connectionId: string): Promise<Run[]> =>
  em.find(Run, { accountId, connectionId }, { orderBy: { id: 'desc' }, limit: 25 });

export const hasDueRun = isFirstDue({
  table: 'contacts.run',
  time: 'next_at',
  where: `status = 'running'`,
});

const selectRunning = statement({
  name: 'contacts.select_running_runs',
  text: `
    select account_id as "accountId", id, connection_id as "connectionId" from contacts.run
    where status = 'running' and next_at <= $2::timestamptz order by next_at limit $1`,
  allAccounts: 'A worker continues the runs of every account.',
  row: { accountId: column.id, id: column.id, connectionId: column.id },
});

const lockRun = statement({
  name: 'contacts.lock_run',
  text: `
    select queued, after_contact as "afterContact",
      exists (select from contacts.lane l where l.account_id = $1 and l.connection_id = $3 and l.suspended) as "isSuspended"
    from contacts.run where account_id = $1 and id = $2 and status = 'running' for update skip locked`,
  row: { queued: column.integer, afterContact: column.text, isSuspended: column.boolean },
});

const updateRun = statement({
  name: 'contacts.update_run',
  text: `
    update contacts.run set queued = $3, left_out = left_out + $8, after_contact = $4, status = $5, ended_at = $6::timestamptz,
      next_at = $7::timestamptz
    where account_id = $1 and id = $2`,
});

const deleteEnded = statement({
  name: 'contacts.delete_ended_runs',
  text: 'delete from contacts.run where ended_at < $1::timestamptz',
  allAccounts: 'The history of every account ends.',
});

/** Deletes ended runs together with the history of what they sent. */
export const deleteRunsBefore = (pool: Database['pool'], before: Date): Promise<unknown> =>
  queryOn(pool)(deleteEnded, [before]);

/** A run whose connection takes nothing is looked at again after this time. */
const closedWaitMs = 60_000;

/** Makes the next changes of the runs of all accounts. */
export async function continueRuns(
  database: Pick<Database, 'query' | 'transaction'>,
  marketing: Pick<MarketingConnections, 'find'>,
  { now, signal, onFailure }: { now: Date; signal: AbortSignal; onFailure: (error: unknown) => void },
): Promise<void> {
  const running = await database.query(selectRunning, [runsMax, now]);
  const connections = await marketing.find(
    database.query,
    running.map(({ accountId, connectionId }) => ({ accountId, id: connectionId })),
  );
  for (const { accountId, id, connectionId } of running) {
    if (signal.aborted) return;
    const connection = connections.get(connectionId);
    await database
      .transaction((tx) =>
        continueRun(accountWriter(tx, { accountId, now }), { id, connectionId, connection }),
      )
      .catch(onFailure);
  }
}

interface RunOf {
  id: string;
  connectionId: string;
  /** Undefined: it was removed. */
  connection: MarketingConnection | undefined;
}

async function continueRun(tx: AccountWriter, { id, connectionId, connection }: RunOf): Promise<void> {
  const { accountId, now } = tx;
  const [run] = await tx.query(lockRun, [accountId, id, connectionId]);
  if (!run) return;
  if (!connection?.settings.sync.enabled) return cancelRun(tx, { connectionId, runId: id });
  const update = (values: { emails: readonly string[]; leftOut: number; isDone: boolean; nextAt: Date }) =>
    tx.query(updateRun, [
      accountId,
      id,
      run.queued + values.emails.length,
      values.isDone ? '' : (values.emails.at(-1) ?? run.afterContact),
      values.isDone ? 'done' : 'running',
      values.isDone ? now : null,
      values.nextAt,
      values.leftOut,
    ]);
  if (run.isSuspended || connection.isPaused || connection.state === 'disconnected') {
    await update({ emails: [], leftOut: 0, isDone: false, nextAt: new Date(now.getTime() + closedWaitMs) });
    return;
  }
  const waiting = (await countWaiting(tx, connectionId, [id])).get(id) ?? 0;
  const emails =
    waiting >= waitingMax ? [] : await listEmails(tx, { after: run.afterContact, limit: pageMax });
  const { sync } = connection.settings;
  const kept = emails.filter((email) => !isLeftOut(sync, email));
  queueChanges(
    tx,
    kept.map((email) => ({ connectionId, email, registrationId: null, inStep: true, causes: [] })),
    { runId: id },
  );
  await update({
    emails,
    leftOut: emails.length - kept.length,
    isDone: emails.length === 0 && waiting === 0,
    nextAt: now,
  });
}
