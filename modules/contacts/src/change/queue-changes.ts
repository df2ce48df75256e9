// Writes and merges waiting changes. A row that exists takes the new parts over its own; a row that comes back from a worker takes the
// parts that have arrived meanwhile over its own. Both are the same SQL, with the older and the newer row in its two places.
import { statement, type AccountWriter } from '@service/database';
import { causesMax, eventsMax, mergeParts, noParts, type ChangeParts } from './change.ts';

/** A fact about a contact. */
export interface ChangeDraft {
  connectionId: string;
  /** In any case. */
  email: string;
  registrationId: string | null;
  /** The values of "keep every registrant in step" are to be sent. */
  inStep: boolean;
  parts?: ChangeParts;
  /** Ids of events or executions. */
  causes: readonly string[];
}

/** Nothing is sent while the change is younger: the facts of a moment make one change. */
export const gatherMs = 1000;

/**
 * The columns of two rows in one. `older` and `newer` are names of rows. A fact does not push the time of an older change back, and has a
 * change that was given up tried again. An erasure replaces what is older, except the id of an older erasure. The last cause of an erasure is
 * its id and stays the last one.
 */
export const mergedColumns = (older: string, newer: string): string => {
  const of = (column: string): string => `case when not ${newer}.is_erasure then ${older}.${column} end`;
  const both = (column: string): string =>
    `case when ${newer}.is_erasure then ${newer}.${column} else ${older}.${column} || ${newer}.${column} end`;
  const erasureId = `coalesce(${older}.causes -> -1, '[]')`;
  return `
      registration_id = coalesce(${newer}.registration_id, ${of('registration_id')}),
      in_step = coalesce(${of('in_step')}, false) or ${newer}.in_step,
      fields = ${both('fields')}, tags = ${both('tags')}, lists = ${both('lists')},
      events = contacts.last_of(${both('events')}, ${eventsMax}),
      causes = contacts.last_of(case
        when ${older}.is_erasure and ${newer}.is_erasure then ${erasureId} || ${newer}.causes
        when ${newer}.is_erasure then ${newer}.causes
        when ${older}.is_erasure then (${older}.causes - -1) || ${newer}.causes || ${erasureId}
        else ${older}.causes || ${newer}.causes end, ${causesMax}),
      is_backfill = ${older}.is_backfill and ${newer}.is_backfill,
      run_id = coalesce(${newer}.run_id, ${of('run_id')}),
      first_at = least(${of('first_at')}, ${newer}.first_at), last_at = greatest(${older}.last_at, ${newer}.last_at),
      due_at = case when ${older}.parked_at is not null or ${older}.is_backfill and not ${newer}.is_backfill or ${newer}.is_erasure
        then ${newer}.due_at else ${older}.due_at end,
      attempts = case when ${older}.parked_at is null then coalesce(${of('attempts')}, 0) else 0 end, parked_at = null,
      is_erasure = ${older}.is_erasure or ${newer}.is_erasure`;
};

/** The fields of `contacts.change` in JSON, for `jsonb_to_recordset`. */
export const changeFields = `"connectionId" uuid, contact text, "registrationId" uuid, "inStep" boolean, fields jsonb, tags jsonb,
        lists jsonb, events jsonb, causes jsonb, "isBackfill" boolean, "runId" uuid, "isErasure" boolean`;

// The rows are locked in the order of their keys, so that transactions with facts about the same people do not wait for each other in a
// circle. $3: now, $4: due.
const mergeFacts = statement({
  name: 'contacts.merge_facts',
  text: `
    insert into contacts.change as stored (account_id, connection_id, contact, is_taken, registration_id, in_step, fields, tags, lists,
      events, causes, is_backfill, run_id, attempts, first_at, last_at, due_at)
    select $1, "connectionId", contact, false, "registrationId", "inStep", fields, tags, lists, events, causes, "isBackfill", "runId", 0, $3::timestamptz, $3::timestamptz, $4::timestamptz
    from jsonb_to_recordset($2::jsonb) as fact (${changeFields})
    order by "connectionId", contact
    on conflict (account_id, connection_id, contact, is_taken) do update set ${mergedColumns('stored', 'excluded')}`,
});

/** The run that a draft belongs to. */
interface OfRun {
  runId: string;
}

/** Merges facts into the waiting changes of their contacts, with the commit. */
export function queueChanges(
  tx: Pick<AccountWriter, 'defer' | 'accountId' | 'now'>,
  drafts: readonly ChangeDraft[],
  ofRun?: OfRun,
): void {
  if (drafts.length === 0) return;
  const byContact = new Map<string, ReturnType<typeof toRow>>();
  for (const draft of drafts) {
    const row = toRow(draft, ofRun);
    const name = `${row.connectionId} ${row.contact}`;
    const older = byContact.get(name);
    byContact.set(name, older ? mergeRows(older, row) : row);
  }
  const dueAt = new Date(tx.now.getTime() + gatherMs);
  tx.defer(mergeFacts, [tx.accountId, JSON.stringify([...byContact.values()]), tx.now, dueAt]);
}

const toRow = (
  { connectionId, email, registrationId, inStep, parts = noParts, causes }: ChangeDraft,
  ofRun: OfRun | undefined,
) => ({
  connectionId,
  contact: email.toLowerCase(),
  registrationId,
  inStep,
  ...parts,
  causes: causes.slice(-causesMax),
  isBackfill: ofRun !== undefined,
  runId: ofRun?.runId ?? null,
});

const mergeRows = (older: ReturnType<typeof toRow>, newer: ReturnType<typeof toRow>) => ({
  ...newer,
  registrationId: newer.registrationId ?? older.registrationId,
  inStep: older.inStep || newer.inStep,
  ...mergeParts(older, newer),
  causes: [...older.causes, ...newer.causes].slice(-causesMax),
});
