// Collects attempts, and applies the decisions of health-machine.ts to them: locks rows, decides, writes. All times are the database's.
import { createBatcher } from '@service/background';
import type { DeliveryFailure } from '@service/catalogue';
import { column, createId, rowsToColumns, statement } from '@service/database';
import type { Database, Transaction } from '@service/database';
import type { Log } from '@service/log';
import { suspendedAccounts } from '../account/suspended-accounts.ts';
import { isFree } from '../due.ts';
import { endpointKey, healthRow, type EndpointKey } from './endpoint.ts';
import { afterAttempts, afterRelease, type AttemptReport, type Health } from './health-machine.ts';
import { insertNotices } from './notices.ts';

/** One attempt, reduced to what it says about its endpoint. */
interface EndpointAttempt extends EndpointKey {
  /** Null for a success. */
  failure: DeliveryFailure | null;
  responseCode: number | null;
  /** The known health when the attempt began; undefined is healthy. */
  health: Health['state'] | undefined;
  /** False before the first success of the endpoint. */
  hasAnswered: boolean;
}

export type HealthReports = ReturnType<typeof createHealthReports>;

interface HealthReportsOptions {
  database: Pick<Database, 'transaction'>;
  log: Log;
  /** The health of these endpoints may have changed. */
  onRecorded: (endpoints: readonly EndpointKey[]) => void;
}

type Report = EndpointKey & AttemptReport;

const collectMs = 100;

/**
 * Records the health of endpoints: one transaction for all attempts within 100 ms. A success of a healthy endpoint costs
 * nothing but for its first one. A 429 says nothing about health; a 410 says that the receiver is gone.
 */
export function createHealthReports({ database, log, onRecorded }: HealthReportsOptions) {
  /** Keys of endpoints with attempts in the next batch. */
  const waiting = new Set<string>();

  const batcher = createBatcher<EndpointAttempt>({
    async run(attempts) {
      waiting.clear();
      const reports = new Map<string, Report>();
      for (const attempt of attempts) {
        const key = endpointKey(attempt);
        reports.set(key, addToReport(reports.get(key), attempt));
      }
      try {
        await recordAttempts(database, [...reports.values()]);
        onRecorded([...reports.values()]);
      } catch (error) {
        log.error({ err: error }, 'The health of endpoints could not be recorded');
      }
    },
    batchMax: Number.POSITIVE_INFINITY,
    waitMs: collectMs,
  });

  return {
    add(attempt: EndpointAttempt): void {
      const isUsual = attempt.failure === null && attempt.health === undefined && attempt.hasAnswered;
      if ((isUsual && waiting.size === 0) || attempt.responseCode === 429) return;
      const key = endpointKey(attempt);
      if (isUsual && !waiting.has(key)) return;
      waiting.add(key);
      batcher.add(attempt);
    },
    /** Records the attempts that are not recorded yet. Never rejects. */
    drain: batcher.drain,
  };
}

function addToReport(
  report: Report | undefined,
  { accountId, endpointId, failure, responseCode }: EndpointAttempt,
): Report {
  const last = { accountId, endpointId, lastFailure: failure, lastResponseCode: responseCode };
  if (failure === null) return { ...last, succeeded: true, failures: 0, isGone: false };
  const { succeeded = false, failures = 0, isGone = false } = report ?? {};
  return { ...last, succeeded, failures: failures + 1, isGone: isGone || responseCode === 410 };
}

/** Records attempts of several endpoints, one report for each. Endpoints that no longer exist are left out. */
async function recordAttempts(
  database: Pick<Database, 'transaction'>,
  reports: readonly Report[],
): Promise<void> {
  const reportByKey = new Map(reports.map((report) => [endpointKey(report), report]));
  const answered = reports.filter(({ succeeded }) => succeeded);
  await database.transaction(async (tx) => {
    // Before the health is locked, because a call that switches an endpoint off locks them in this order.
    if (answered.length > 0) await tx.query(markAnswered, rowsToColumns(answered, 'endpointId', 'accountId'));
    const rows = await tx.query(lockHealth, rowsToColumns(reports, 'endpointId', 'accountId'));
    const changes = rows.map((row) => {
      const before = healthRow.toEntity(row);
      const { endpointId, accountId } = before;
      const isHealthy = before.state === 'failing' && before.failures === 0;
      const report = reportByKey.get(endpointKey(before))!;
      return {
        endpointId,
        accountId,
        ...afterAttempts(isHealthy ? undefined : before, report, row.now),
      };
    });
    writeHealth(tx, changes);
    const notices = changes.flatMap(({ endpointId, accountId, health, notices: kinds }) =>
      kinds.map((kind) => {
        const reason = kind === 'paused' ? health?.lastFailure : null;
        return { id: createId(), accountId, endpointId, kind, reason };
      }),
    );
    if (notices.length > 0) tx.defer(insertNotices, [JSON.stringify(notices)]);
  });
}

/** Releases the next share of parked deliveries of each draining endpoint. Returns how many were released. */
export function drainEndpoints(database: Pick<Database, 'transaction'>): Promise<number> {
  return database.transaction(async (tx) => {
    const rows = await tx.query(releaseShares, []);
    const changes = rows.map((row) => {
      const before = healthRow.toEntity(row);
      const { endpointId, accountId } = before;
      return { endpointId, accountId, health: afterRelease(before, row.released, row.now) };
    });
    writeHealth(tx, changes);
    return rows.reduce((sum, { released }) => sum + released, 0);
  });
}

function writeHealth(
  tx: Pick<Transaction, 'defer'>,
  changes: readonly (EndpointKey & { health: Health | undefined })[],
): void {
  if (changes.length === 0) return;
  const decided = changes.map(({ endpointId, accountId, health }) => ({ ...health, endpointId, accountId }));
  tx.defer(updateHealth, [JSON.stringify(decided)]);
}

/** $1 endpoint ids, $2 account ids. Rows are locked in the order of their ids. */
const markAnswered = statement({
  text: `
    update deliveries.endpoint set has_answered = true
    from (
      select endpoint.id, endpoint.account_id
      from unnest($1::uuid[], $2::uuid[]) as reported (endpoint_id, account_id)
      join deliveries.endpoint on endpoint.id = reported.endpoint_id and endpoint.account_id = reported.account_id
      where not has_answered order by endpoint.id for update of endpoint
    ) first
    where endpoint.id = first.id and endpoint.account_id = first.account_id`,
});

/**
 * $1 endpoint ids, $2 account ids. A healthy endpoint gets a row with no failures, because only a row can be locked. Rows are
 * locked in the order of their ids, so that two workers never wait for each other.
 */
const lockHealth = statement({
  text: `
    insert into deliveries.endpoint_health as health (endpoint_id, account_id, state, failures, since, probes, drain_rate)
    select endpoint.id, endpoint.account_id, 'failing', 0, now(), 0, 0
    from unnest($1::uuid[], $2::uuid[]) as reported (endpoint_id, account_id)
    join deliveries.endpoint on endpoint.id = reported.endpoint_id and endpoint.account_id = reported.account_id
    order by endpoint.id
    on conflict (endpoint_id, account_id) do update set failures = health.failures
    returning *, now() as now`,
  row: { ...healthRow.columns, now: column.time },
});

/** $1 the decisions as JSON. One without a state is healthy: its row is deleted. */
const updateHealth = statement({
  text: `
    with decided as materialized (
      select * from json_to_recordset($1::json) as decided (
        "endpointId" uuid, "accountId" uuid, state text, failures integer, since timestamptz, "probeAt" timestamptz,
        probes smallint, "drainRate" integer, "lastFailure" text, "lastResponseCode" smallint, "isUntried" boolean)
    ), healthy as (
      delete from deliveries.endpoint_health health using decided
      where endpoint_id = "endpointId" and account_id = "accountId" and decided.state is null
    )
    update deliveries.endpoint_health health
    set state = decided.state, failures = decided.failures, since = decided.since, probe_at = "probeAt",
      probes = decided.probes, drain_rate = "drainRate", last_failure = "lastFailure", last_response_code = "lastResponseCode",
      is_untried = "isUntried"
    from decided where endpoint_id = "endpointId" and account_id = "accountId" and decided.state is not null`,
});

/** Nothing is released while what a stopped flush has parked is given its own time again. */
const isStopping = `exists (
  select from deliveries.flush
  where flush.account_id = endpoint_health.account_id and flush.endpoint_id = endpoint_health.endpoint_id and flush.is_stopping)`;

const releaseShares = statement({
  text: `
    with draining as materialized (
      select * from deliveries.endpoint_health
      where state = 'draining' and probe_at <= now() and account_id not in (${suspendedAccounts})
        and not ${isStopping}
      order by probe_at limit 50 for update skip locked
    ), picked as materialized (
      select parked.* from draining
      cross join lateral (
        select ctid, endpoint_id, account_id from deliveries.due
        where due.account_id = draining.account_id and due.endpoint_id = draining.endpoint_id and due_at = 'infinity'
          and ${isFree}
        order by delivery_id limit draining.drain_rate for update skip locked
      ) parked
    ), released as (
      update deliveries.due set due_at = now(), own_due_at = null where ctid = any(array(select ctid from picked))
    )
    select draining.*, now() as now,
      (select count(*)::integer from picked where picked.endpoint_id = draining.endpoint_id) as released
    from draining`,
  allAccounts: 'The upkeep of a worker serves every account.',
  row: { ...healthRow.columns, now: column.time, released: column.integer },
});

/**
 * Releases deliveries that were parked for an endpoint at the moment of its recovery. It may have failed again since, for example
 * with the probe that parks its delivery. Reads all parked deliveries, so it is run rarely.
 */
export const releaseOrphaned = statement({
  text: `
    update deliveries.due set due_at = now(), own_due_at = null
    where due_at = 'infinity' and ${isFree} and not exists (
      select from deliveries.endpoint_health health
      where health.endpoint_id = due.endpoint_id and health.account_id = due.account_id and state <> 'failing')
      and account_id not in (select account_id from deliveries.suspended_account)
      and endpoint_id not in (select endpoint_id from deliveries.cancellation)`,
  allAccounts: 'The upkeep of a worker serves every account.',
});
