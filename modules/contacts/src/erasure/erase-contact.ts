// The part of this module in erasures: the history of the contact, and a change that erases it in each tool that can.
import { findEmailBefore, findErased, type RequestedErasure } from '@service/attendees';
import { findMarketingProviders } from '@service/connections';
import { column, idAt, nullable, statement, type AccountWriter } from '@service/database';
import { marketingProviders } from '@service/marketing-providers';
import type { ErasedPerson, ErasePerson } from '@service/module';
import { erasedAddress } from '@service/secrets';
import { causesMax } from '../change/change.ts';
import { gatherMs, mergedColumns } from '../change/queue-changes.ts';

const sendsMax = 1000;

// Sends of a person who has come back have other registrations. A change in flight at the time of the request has a later send, without a
// registration if it found none. $3: registrations, $4: the id of the time of the request, $5: at most, $6: the person has come back.
const deleteSends = statement({
  name: 'contacts.delete_sends_of_person',
  text: `
    with found as materialized (
      select f.id from contacts.send f
      where f.account_id = $1 and f.contact = $2 and (f.id < $4::uuid or f.registration_id = any($3::uuid[]) or f.registration_id is null and not $6::boolean)
      limit $5
    ), sent as (
      delete from contacts.send_values v using found where v.account_id = $1 and v.id = found.id
    ), gone as (
      delete from contacts.send s using found where s.account_id = $1 and s.id = found.id returning s.id
    )
    select count(*)::int as count from gone`,
  row: { count: column.integer },
});

const selectRuns = statement({
  name: 'contacts.select_runs_at_person',
  text: `
    select id from contacts.run where account_id = $1 and status = 'running' and after_contact = $2 for update`,
  row: { id: column.id },
});

const moveRuns = statement({
  name: 'contacts.move_runs',
  text: 'update contacts.run set after_contact = $3 where account_id = $1 and id = any($2::uuid[])',
});

/** Drops what waits for the person at the time of the request, and has them erased in each tool. Facts that come later are sent afterwards. */
export const eraseInTools = async (tx: AccountWriter, erasure: RequestedErasure): Promise<void> =>
  queueErasures(tx, erasure, {
    connectionIds: [...(await findMarketingProviders(tx)).keys()],
    isOfRequest: true,
  });

/** Deletes the history of the person, and has them erased in the tools in which they must be erased now. */
export const eraseContact: ErasePerson = async (tx, person) => {
  const { query, accountId } = tx;
  const { email, registrationIds, until } = person;
  await takeRunsBack(tx, email);
  const values = [accountId, email, registrationIds, idAt(until), sendsMax, await hasComeBack(tx, email)];
  const [gone] = await query(deleteSends, values);
  if (gone!.count === sendsMax) return 'sends';
  await queueErasures(tx, person, { connectionIds: await findToolsToErase(tx, person) });
  return null;
};

/** True if an erased person has a registration, new or not deleted yet. Test registrations do not count. */
const hasComeBack = async (tx: AccountWriter, erasedEmail: string): Promise<boolean> =>
  !(await findErased(tx, [erasedEmail])).has(erasedEmail);

// $2: connections, $3: the contact, $4: its `erasedAddress`, $5: the erasure.
const selectStates = statement({
  name: 'contacts.select_states_of_erasure',
  text: `
    select tool.id,
      (select true from contacts.change c
        where c.account_id = $1 and c.connection_id = tool.id and c.contact = $3 and c.is_erasure
          and c.causes @> to_jsonb($5::text) limit 1) as "isQueued",
      coalesce(
        (select true from contacts.change n where n.account_id = $1 and n.connection_id = tool.id and n.contact = $3 limit 1),
        (select true from contacts.send s where s.account_id = $1 and s.contact = $3 and s.connection_id = tool.id limit 1)
      ) as "hasNewer",
      (select true from contacts.send e
        where e.account_id = $1 and e.contact = $4 and e.connection_id = tool.id and e.causes @> to_jsonb($5::text) limit 1) as "isSent"
    from unnest($2::uuid[]) as tool (id)`,
  row: {
    id: column.id,
    isQueued: nullable(column.boolean),
    hasNewer: nullable(column.boolean),
    isSent: nullable(column.boolean),
  },
});

const importers: ReadonlySet<string> = new Set(
  marketingProviders.filter(({ batch }) => batch?.job !== undefined).map(({ id }) => id),
);

/**
 * The connections to which the erasure must be queued now. First run: those without it. Repetition: tools with imports, because one may
 * have finished after the erasure, unless newer facts about the person exist there.
 */
async function findToolsToErase(tx: AccountWriter, person: ErasedPerson): Promise<string[]> {
  const { query, accountId } = tx;
  const { email, erasureId, isRepetition } = person;
  const tools = await findMarketingProviders(tx);
  const states = await query(selectStates, [
    accountId,
    [...tools.keys()],
    email,
    erasedAddress(accountId, email),
    erasureId,
  ]);
  return states
    .filter(({ id, isQueued, hasNewer, isSent }) =>
      isRepetition ? importers.has(tools.get(id)!) && isSent && !hasNewer : !isQueued && !isSent,
    )
    .map(({ id }) => id);
}

// With the request, and later if the person has no registration, it replaces every waiting change: all facts belong to the erased person. A
// waiting change of a person who has come back keeps its parts: they are sent after the erasure. The values of a person who has come back are sent again.
// $3: connections, $4: the erasure as a cause, $5: due, $6: the time of the request, $7: also newer changes.
const replaceChanges = statement({
  name: 'contacts.replace_changes_by_erasure',
  text: `
    insert into contacts.change as stored (account_id, connection_id, contact, is_taken, in_step, fields, tags, lists, events, causes,
      is_backfill, is_erasure, attempts, first_at, last_at, due_at)
    select $1, id, $2, false, false, '{}', '{}', '{}', '[]', $4::jsonb, false, true, 0, $6::timestamptz, $6::timestamptz, $5::timestamptz
    from unnest($3::uuid[]) as id order by id
    on conflict (account_id, connection_id, contact, is_taken) do update set ${mergedColumns('stored', 'excluded')}
    where $7::boolean or stored.last_at <= $6::timestamptz`,
});

const eraseBeforeChanges = statement({
  name: 'contacts.erase_before_changes',
  text: `
    update contacts.change set is_erasure = true, in_step = true, is_backfill = false, attempts = 0, parked_at = null,
      due_at = $5::timestamptz, causes = contacts.last_of((causes - ($4::jsonb ->> 0)) || $4::jsonb, ${causesMax})
    where account_id = $1 and contact = $2 and connection_id = any($3::uuid[]) and not is_taken`,
});

interface QueueOptions {
  connectionIds: readonly string[];
  isOfRequest?: boolean;
}

async function queueErasures(
  tx: AccountWriter,
  { erasureId, email, until }: RequestedErasure,
  { connectionIds, isOfRequest = false }: QueueOptions,
): Promise<void> {
  if (connectionIds.length === 0) return;
  const { query, accountId, now } = tx;
  const dueAt = new Date(now.getTime() + gatherMs);
  const values = [accountId, email, connectionIds, JSON.stringify([erasureId])];
  const replace = (isAny: boolean) => query(replaceChanges, [...values, dueAt, until, isAny]);
  // It locks the changes. A registration that adds to them has been committed then, so the person is seen to have come back.
  await replace(isOfRequest);
  if (await hasComeBack(tx, email)) await query(eraseBeforeChanges, [...values, dueAt]);
  else if (!isOfRequest) await replace(true);
}

/** A running run may have stopped at this address. It continues from the address before it, so it skips no person. */
async function takeRunsBack(tx: AccountWriter, email: string): Promise<void> {
  const { query, accountId } = tx;
  const runs = await query(selectRuns, [accountId, email]);
  if (runs.length === 0) return;
  await query(moveRuns, [accountId, runs.map(({ id }) => id), await findEmailBefore(tx, email)]);
}
