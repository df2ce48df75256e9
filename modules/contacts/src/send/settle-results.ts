// Writes what became of taken changes: the rows, the history and the state of the connection, together with the lease of the lane.
import type { MarketingConnections, MarketingObservation, UsedConnection } from '@service/connections';
import { accountWriter, column, createId, statement, type Database, type Query } from '@service/database';
import { erasedAddress } from '@service/secrets';
import { changeFields, mergedColumns } from '../change/queue-changes.ts';
import { hasParts, type StoredEvent } from '../change/change.ts';
import type { StoredLimits } from '../entities.ts';
import { leaseMs, leaseStateOf, type LaneKey, type LeaseState } from './connection-lanes.ts';
import type { Next } from './decide-next-attempt.ts';
import type { Sent } from './send-contact.ts';
import type { TakenChange } from './take-changes.ts';

export interface Result {
  taken: TakenChange;
  sent: Sent;
  next: Next;
  durationMs: number;
}

interface Lease {
  lane: LaneKey;
  token: string;
  used: UsedConnection;
  limits: StoredLimits;
  now: Date;
}

interface SettleParts {
  database: Pick<Database, 'query' | 'transaction'>;
  marketing: Pick<MarketingConnections, 'rememberSuccess' | 'record'>;
}

/** Writes nothing when the lane is lost. */
export async function settleResults(
  { database, marketing }: SettleParts,
  results: readonly Result[],
  lease: Lease,
): Promise<LeaseState> {
  const { accountId } = lease.lane;
  const observations = observationsOf(results);
  const leftOut = results.flatMap(({ taken: { row, change } }) =>
    change === undefined && row.isBackfill && row.runId !== null ? [row.runId] : [],
  );
  const isQuiet =
    leftOut.length === 0 &&
    observations.every(
      ({ kind }) => kind === 'worked' && marketing.rememberSuccess(accountId, lease.used, lease.now),
    );
  if (isQuiet) return settleAll(database.query, results, lease);
  return database.transaction(async (tx) => {
    // Before the changes, because the page of a run locks in this order too.
    if (leftOut.length > 0) await tx.query(countLeftOut, [accountId, lease.lane.id, lease.token, leftOut]);
    const state = await settleAll(tx.query, results, lease);
    if (state === 'lost') return state;
    const writer = accountWriter(tx, { accountId, now: lease.now });
    for (const observation of observations) await marketing.record(writer, lease.used, observation);
    return state;
  });
}

const countLeftOut = statement({
  name: 'contacts.count_left_out',
  text: `
    update contacts.run r set left_out = r.left_out + counted.people
    from (select id, count(*)::int as people from unnest($4::uuid[]) as id group by id) counted
    where r.account_id = $1 and r.id = counted.id
      and exists (select from contacts.lane l where l.account_id = $1 and l.connection_id = $2 and l.lease_token = $3::uuid)`,
});

/**
 * The observations of the connection: one success, each failure of the connection itself, and the parts that the tool does not know. They have
 * no words of the tool, which may name a person: everyone who reads connections reads them.
 */
function observationsOf(results: readonly Result[]): MarketingObservation[] {
  const observations: MarketingObservation[] = [];
  if (
    results.some(
      ({ sent }) => sent.calls.length > 0 && ['done', 'left', 'person_refused'].includes(sent.attempted.kind),
    )
  )
    observations.push({ kind: 'worked' });
  for (const { sent } of results)
    if (sent.attempted.kind === 'later') observations.push({ kind: 'later', reason: failureOf(sent) });
  const problem =
    results.flatMap(({ sent }) => (sent.attempted.kind === 'not_allowed' ? [failureOf(sent)] : [])).at(0) ??
    results.flatMap(({ sent }) => sent.problems.map(({ text }) => `${text}.`)).at(0);
  if (problem !== undefined) observations.push({ kind: 'unsuitable', reason: problem.slice(0, 300) });
  return observations;
}

/** Without a status there was no answer, and the reason is ours. */
const failureOf = ({ attempted, calls, status }: Sent): string =>
  status === null
    ? (attempted.reason ?? '')
    : `The tool did not take the call "${calls.at(-1)}" (HTTP ${status}).`;

// $3 token, $4 end of the lease, $5 limits, $6 the results in the order of their contacts. A row that waits again merges with what has
// arrived meanwhile, and that is newer.
const settle = statement({
  name: 'contacts.settle',
  text: `
    with leased as (
      update contacts.lane set lease_until = $4::timestamptz, limits = $5::jsonb
      where account_id = $1 and connection_id = $2 and lease_token = $3::uuid
      returning connection_id, suspended
    ), result as materialized (
      select r.* from leased cross join jsonb_to_recordset($6::jsonb) as r
        (${changeFields}, "isEnded" boolean, attempts smallint, "firstAt" timestamptz, "lastAt" timestamptz, "dueAt" timestamptz,
         "parkedAt" timestamptz, send jsonb)
    ), gone as (
      delete from contacts.change t using result
      where t.account_id = $1 and t.connection_id = $2 and t.contact = result.contact and t.is_taken
      returning t.contact
    ), again as (
      insert into contacts.change as stored (account_id, connection_id, contact, is_taken, registration_id, in_step, fields, tags, lists,
        events, causes, is_backfill, run_id, is_erasure, attempts, first_at, last_at, due_at, parked_at)
      select $1, $2, a.contact, false, a."registrationId", a."inStep", a.fields, a.tags, a.lists, a.events, a.causes, a."isBackfill",
        a."runId", a."isErasure", a.attempts, a."firstAt", a."lastAt", a."dueAt", a."parkedAt"
      from result a join gone using (contact) where not a."isEnded"
      on conflict (account_id, connection_id, contact, is_taken) do update set ${mergedColumns('excluded', 'stored')}
    ), history as (
      insert into contacts.send (account_id, id, connection_id, contact, registration_id, causes, calls, status, outcome, reason,
        duration_ms, fields, body_hash)
      select $1, s.id, $2, s.contact, s."registrationId", h.causes, s.calls, s.status, s.outcome, s.reason, s."durationMs", s.fields,
        s."bodyHash"
      from result h join gone using (contact) cross join jsonb_to_record(h.send) as s
        (id uuid, contact text, "registrationId" uuid, calls jsonb, status smallint, outcome text, reason text, "durationMs" integer, fields jsonb,
         "bodyHash" text, sent jsonb)
      where h.send is not null
    ), kept as (
      insert into contacts.send_values (account_id, id, contact, sent)
      select $1, v.id, k.contact, v.sent
      from result k join gone using (contact) cross join jsonb_to_record(k.send) as v (id uuid, sent jsonb)
      where v.sent is not null
    )
    select suspended from leased`,
  row: { suspended: column.boolean },
});

async function settleAll(
  query: Query,
  results: readonly Result[],
  { lane, token, limits, now }: Lease,
): Promise<LeaseState> {
  const rows = results
    .map((result) => toRow(result, lane, now))
    .toSorted((one, other) => (one.contact < other.contact ? -1 : 1));
  const until = new Date(now.getTime() + leaseMs);
  const leased = await query(settle, [
    lane.accountId,
    lane.id,
    token,
    until,
    JSON.stringify(limits),
    JSON.stringify(rows),
  ]);
  return leaseStateOf(leased);
}

function toRow({ taken, sent, next, durationMs }: Result, lane: LaneKey, now: Date) {
  const { row, change, registrationId } = taken;
  const isErasure = row.isErasure && next.kind !== 'ended';
  const { fields = [], events = [] } = change ?? {};
  const hasValues = sent.calls.length > 0 && (fields.length > 0 || events.length > 0);
  return {
    ...row,
    connectionId: lane.id,
    events: row.events.filter(({ id }) => !sent.endedEvents.has(id)),
    lists: Object.fromEntries(Object.entries(row.lists).filter(([id]) => !sent.endedLists.has(id))),
    isErasure,
    // A person who has come back is sent after their erasure.
    isEnded: next.kind === 'ended' && !(row.isErasure && (row.inStep || hasParts(row))),
    attempts: next.kind === 'ended' ? 0 : next.attempts,
    dueAt: new Date(now.getTime() + (next.kind === 'again' ? next.waitMs : 0)),
    parkedAt: next.kind === 'parked' ? now : null,
    // A lane that rests has made no call, so there is nothing to show.
    send:
      sent.attempted.kind === 'throttled'
        ? null
        : {
            id: createId(),
            contact: row.isErasure ? erasedAddress(lane.accountId, row.contact) : row.contact,
            registrationId: row.isErasure ? null : registrationId,
            calls: sent.calls,
            status: sent.status,
            outcome: next.kind === 'parked' ? 'parked' : sent.attempted.kind,
            reason: row.isErasure ? reasonOfErasure(sent) : reasonOf(sent),
            durationMs: Math.round(durationMs),
            fields: fields.map(({ key }) => key),
            bodyHash: sent.bodyHash,
            sent: hasValues
              ? {
                  fields: Object.fromEntries(fields.map(({ key, value }) => [key, value])),
                  events: events.map(({ name, properties }) => ({ name, properties })),
                }
              : null,
          },
  };
}

const reasonOf = ({ attempted, problems }: Sent): string | null =>
  [attempted.reason, ...problems.map(({ text, reason }) => `${text}: ${reason}`)]
    .filter((sentence) => sentence !== null)
    .join(' ')
    .slice(0, 600) || null;

/** Without words of the tool, which may name the person. */
const reasonOfErasure = (sent: Sent): string | null =>
  sent.attempted.reason === null ? null : failureOf(sent);

const removeEvents = statement({
  name: 'contacts.remove_sent_events',
  text: `
    update contacts.change e set events = $4::jsonb
    where e.account_id = $1 and e.connection_id = $2 and e.contact = $3 and e.is_taken
      and exists (select from contacts.lane l where l.account_id = $1 and l.connection_id = $2 and l.lease_token = $5::uuid)`,
});

/** After an event that its tool would count twice: a worker that dies later has not lost the fact that it was sent. */
export const recordSentEvents = (
  query: Query,
  {
    lane,
    token,
    contact,
    left,
  }: { lane: LaneKey; token: string; contact: string; left: readonly StoredEvent[] },
) => query(removeEvents, [lane.accountId, lane.id, contact, JSON.stringify(left), token]);
