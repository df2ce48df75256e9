// Imports are accepted before they are done. Their results are read later, with the calls of the lane, and the contacts that an import has
// refused get a line of their own in the history.
import type { OpenMarketingConnection } from '@service/connections';
import { column, createId, idTime, statement, type Query, type RowsOf } from '@service/database';
import type { LaneKey } from './connection-lanes.ts';
import { restMsOf } from './decide-next-attempt.ts';
import type { MakeCall } from './send-contact.ts';

/** An import takes seconds to minutes. Afterwards its result is of no use. */
const waitsSeconds = [10, 30, 120, 600, 3600, 21_600];

const insertJob = statement({
  name: 'contacts.insert_import_job',
  text: `
    insert into contacts.import_job (account_id, connection_id, id, first_send_id, attempts, due_at)
    values ($1, $2, $3, $4, 0, $5::timestamptz + make_interval(secs => ${waitsSeconds[0]}))
    on conflict do nothing`,
});

/** Ids of tools are short and plain. Another one is not read. */
const idForm = /^[!-~]{1,200}$/;

/** `firstSendId`: the sends of its contacts are written later and have higher ids. */
export async function insertImportJob(
  query: Query,
  { accountId, id: connectionId }: LaneKey,
  { id, firstSendId, now }: { id: string; firstSendId: string; now: Date },
): Promise<void> {
  if (!idForm.test(id)) return;
  await query(insertJob, [accountId, connectionId, id, firstSendId, now]);
}

// $3 now, $4 token. A job that is taken is due again later, in case its result cannot be read.
const takeJob = statement({
  name: 'contacts.take_import_job',
  text: `
    update contacts.import_job j set attempts = j.attempts + 1,
      due_at = $3::timestamptz + make_interval(secs => (array[${waitsSeconds.join(',')}])[least(j.attempts + 2, ${waitsSeconds.length})])
    from (
      select d.id from contacts.import_job d
      where d.account_id = $1 and d.connection_id = $2 and d.due_at <= $3::timestamptz
        and exists (select from contacts.lane l
          where l.account_id = $1 and l.connection_id = $2 and l.lease_token = $4::uuid and not l.suspended)
      order by d.due_at limit 1
    ) due
    where j.account_id = $1 and j.connection_id = $2 and j.id = due.id
    returning j.id, j.first_send_id as "firstSendId", j.attempts`,
  row: { id: column.text, firstSendId: column.id, attempts: column.integer },
});

type ImportJob = RowsOf<typeof takeJob>;

/** Takes the job that has waited longest. Undefined: none is due. */
export const takeImportJob = async (
  query: Query,
  { accountId, id }: LaneKey,
  { token, now }: { token: string; now: Date },
): Promise<ImportJob | undefined> => (await query(takeJob, [accountId, id, now, token]))[0];

// $4 the contacts that the import has refused, with ids of lines. The send of the import is the first one of a contact since the call.
const endJob = statement({
  name: 'contacts.end_import_job',
  text: `
    with ended as (
      delete from contacts.import_job where account_id = $1 and connection_id = $2 and id = $3 returning first_send_id
    )
    insert into contacts.send (account_id, id, connection_id, contact, registration_id, causes, calls, outcome, reason, duration_ms, fields)
    select $1, refused.id, $2, refused.contact, imported.registration_id, imported.causes, $5::jsonb, 'person_refused', refused.reason, 0,
      imported.fields
    from ended cross join jsonb_to_recordset($4::jsonb) as refused (id uuid, contact text, reason text) cross join lateral (
      select s.registration_id, s.causes, s.fields from contacts.send s
      where s.account_id = $1 and s.contact = refused.contact and s.id >= ended.first_send_id and s.connection_id = $2 and s.outcome = 'done'
      order by s.id limit 1
    ) imported`,
});

const deleteOld = statement({
  name: 'contacts.delete_old_import_jobs',
  text: 'delete from contacts.import_job where due_at < $1::timestamptz',
  allAccounts: 'The imports of every account are forgotten.',
});

// A throttled read does not count as an attempt. $4 the attempts with it, $5 the time of the next one.
const returnJob = statement({
  name: 'contacts.return_import_job',
  text: `
    update contacts.import_job set attempts = attempts - 1, due_at = $5
    where account_id = $1 and connection_id = $2 and id = $3 and attempts = $4`,
});

/** A result is of no use after this time. */
const unreadMs = 24 * 3_600_000;

/** Forgets imports whose connections have taken nothing for a day. */
export const deleteOldImportJobs = (query: Query, now: Date): Promise<unknown> =>
  query(deleteOld, [new Date(now.getTime() - unreadMs)]);

/** Calls of one result. Klaviyo shows 100 of 1,000 contacts on a page. */
const callsMax = 12;

interface ReadParts extends Pick<OpenMarketingConnection, 'provider' | 'credential'> {
  query: Query;
  call: MakeCall;
  clock: { now(): Date };
}

/**
 * Reads the result of an import. It is read again later when the tool does not give it. Returns the milliseconds for which the tool takes no
 * further calls.
 */
export async function readImportJob(lane: LaneKey, job: ImportJob, parts: ReadParts): Promise<number> {
  const { provider, credential, query, call, clock } = parts;
  const refused = new Map<string, string>();
  const calls: string[] = [];
  let request = provider.batch?.job?.plan(job.id);
  while (request && calls.length < callsMax) {
    const answer = await call(request, []);
    const isCalled = !('throttledMs' in answer);
    const result = isCalled ? provider.readJob(request, answer, credential) : answer;
    if (isCalled) calls.push(request.name);
    if (result !== 'pending' && 'throttledMs' in result) {
      const waitMs = restMsOf(result.throttledMs);
      const next = new Date(clock.now().getTime() + waitMs);
      if (next.getTime() - idTime(job.firstSendId).getTime() > unreadMs) break;
      await query(returnJob, [lane.accountId, lane.id, job.id, job.attempts, next]);
      return isCalled ? waitMs : 0;
    }
    if (result === 'pending') {
      if (job.attempts < waitsSeconds.length) return 0;
      break;
    }
    for (const { email, reason } of result.refused) refused.set(email.toLowerCase(), reason);
    request = result.next;
  }
  const rows = [...refused].map(([contact, reason]) => ({ id: createId(), contact, reason }));
  await query(endJob, [lane.accountId, lane.id, job.id, JSON.stringify(rows), JSON.stringify(calls)]);
  return 0;
}
