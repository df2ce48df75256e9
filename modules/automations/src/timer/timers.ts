// What is read and written of timers. Rows are always taken in the same order, so that two transactions never wait in a circle.
import { createId, rowToEntity, type AccountWriter } from '@service/database';
import type { AttendeeEventType } from '@service/attendees';
import type { Timer } from './timer.ts';

/** A timer to be written; one with an id takes up again what was taken. */
export interface TimerDraft {
  id?: string;
  ruleId: string;
  webinarId: string;
  sessionId: string;
  /** Left out: everybody who is registered for the session. */
  registrationId?: string | null | undefined;
  dueAt: Date;
  sourceEvent?: AttendeeEventType | null | undefined;
  sourceAt?: Date | null | undefined;
  afterRegistrationId?: string | null | undefined;
}

const insert = `
  insert into automations.timer (account_id, id, rule_id, webinar_id, session_id, registration_id, due_at, source_event,
    source_at, after_registration_id)
  select $1, id, rule_id, webinar_id, session_id, registration_id, due_at, source_event, source_at, after_registration_id
  from jsonb_to_recordset($2::jsonb) as t
    (id uuid, rule_id uuid, webinar_id uuid, session_id uuid, registration_id uuid, due_at timestamptz, source_event text,
     source_at timestamptz, after_registration_id uuid)
  order by rule_id, session_id, registration_id, due_at
  on conflict on constraint timer_unique`;

// A timer that is there takes no lock: whoever registers as the second one waits for nobody.
const insertMissing = { name: 'automations.insert_missing_timers', text: `${insert} do nothing` };

const upsert = {
  name: 'automations.put_timers',
  text: `${insert} do update set
    due_at = excluded.due_at, source_at = excluded.source_at, after_registration_id = excluded.after_registration_id`,
};

/** Makes the timers that are missing; those that are there stay as they are. */
export function addTimers(tx: AccountWriter, drafts: readonly TimerDraft[]): void {
  if (drafts.length > 0) tx.defer(insertMissing, [tx.accountId, toJson(drafts)]);
}

/** Makes timers or moves those that are there, which then begin with the first registrant again. */
export function putTimers(tx: AccountWriter, drafts: readonly TimerDraft[]): void {
  if (drafts.length > 0) tx.defer(upsert, [tx.accountId, toJson(drafts)]);
}

const toJson = (drafts: readonly TimerDraft[]): string =>
  JSON.stringify(
    drafts.map((draft) => ({
      id: draft.id ?? createId(),
      rule_id: draft.ruleId,
      webinar_id: draft.webinarId,
      session_id: draft.sessionId,
      registration_id: draft.registrationId,
      due_at: draft.dueAt,
      source_event: draft.sourceEvent,
      source_at: draft.sourceAt,
      after_registration_id: draft.afterRegistrationId,
    })),
  );

const deleteOfSessions = {
  name: 'automations.delete_session_timers',
  text: `
    delete from automations.timer t using jsonb_to_recordset($2::jsonb) as d (rule_id uuid, session_id uuid)
    where t.account_id = $1 and t.rule_id = d.rule_id and t.session_id = d.session_id and t.registration_id is null
      and ($3::timestamptz is null or t.due_at > $3)`,
};

/** Removes timers of whole sessions; with `dueAfter` only those that wait for a later moment. */
export function dropTimers(
  tx: AccountWriter,
  timers: readonly Pick<TimerDraft, 'ruleId' | 'sessionId'>[],
  { dueAfter }: { dueAfter?: Date } = {},
): void {
  if (timers.length === 0) return;
  const rows = timers.map(({ ruleId, sessionId }) => ({ rule_id: ruleId, session_id: sessionId }));
  tx.defer(deleteOfSessions, [tx.accountId, JSON.stringify(rows), dueAfter ?? null]);
}

// Deleted first and written again where more is to be done: who adds a timer at that moment waits, and finds either that there
// is one that has not come to them yet, or that there is none.
const take = {
  name: 'automations.take_timers',
  text: `
    with due as materialized (
      select id from automations.timer
      where account_id = $1 and id = any($2::uuid[]) and due_at <= $3
      order by id for update skip locked
    )
    delete from automations.timer t using due where t.account_id = $1 and t.id = due.id
    returning t.*`,
};

/** Takes those of some timers that are due and that nobody else has taken. */
export async function takeTimers(
  { query, accountId }: AccountWriter,
  timerIds: readonly string[],
  dueBy: Date,
): Promise<Timer[]> {
  const rows = await query(take, [accountId, timerIds, dueBy]);
  return rows.map((row) => rowToEntity<Timer>(row));
}
