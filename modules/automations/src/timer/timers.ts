// The rows of timers. Every statement takes rows in the same order, so that no two transactions deadlock.
import { createId, statement, type AccountWriter } from '@service/database';
import type { AttendeeEventType } from '@service/attendees';
import { timerRow, type Timer } from '../entities.ts';

/** A timer to be written. With an id it is a timer that was taken and is written back. */
export interface TimerDraft {
  id?: string;
  ruleId: string;
  webinarId: string;
  sessionId: string;
  /** Left out for the timer of a session. */
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

// Does not lock an existing timer, so a second registration does not wait for the first.
const insertMissing = statement({ name: 'automations.insert_missing_timers', text: `${insert} do nothing` });

const upsert = statement({
  name: 'automations.put_timers',
  text: `${insert} do update set
    due_at = excluded.due_at, source_at = excluded.source_at, after_registration_id = excluded.after_registration_id`,
});

/** Inserts the timers that do not exist yet and leaves the others as they are. */
export function addTimers(tx: AccountWriter, drafts: readonly TimerDraft[]): void {
  if (drafts.length > 0) tx.defer(insertMissing, [tx.accountId, toJson(drafts)]);
}

/** Inserts timers, or moves existing ones, which then start again with the first registration. */
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

const deleteOfSessions = statement({
  name: 'automations.delete_session_timers',
  text: `
    delete from automations.timer t using unnest($2::uuid[], $3::uuid[]) as d (rule_id, session_id)
    where t.account_id = $1 and t.rule_id = any($2::uuid[]) and t.session_id = any($3::uuid[])
      and t.rule_id = d.rule_id and t.session_id = d.session_id and t.registration_id is null
      and ($4::timestamptz is null or t.due_at > $4)`,
});

/** Deletes timers of sessions. With `dueAfter` only those that are due later. */
export function deleteTimers(
  tx: AccountWriter,
  timers: readonly Pick<TimerDraft, 'ruleId' | 'sessionId'>[],
  { dueAfter }: { dueAfter?: Date } = {},
): void {
  if (timers.length === 0) return;
  const keys = [timers.map(({ ruleId }) => ruleId), timers.map(({ sessionId }) => sessionId)];
  tx.defer(deleteOfSessions, [tx.accountId, ...keys, dueAfter ?? null]);
}

// A due timer is deleted first, and written back if it has more to do. A transaction that adds the same timer meanwhile waits,
// and then finds either a timer that has not reached its registration yet, or none.
const take = statement({
  name: 'automations.take_timers',
  text: `
    with due as materialized (
      select id from automations.timer
      where account_id = $1 and id = any($2::uuid[]) and due_at <= $3
      order by id for update skip locked
    )
    delete from automations.timer t using due where t.account_id = $1 and t.id = due.id
    returning t.*`,
  row: timerRow.columns,
});

/** Deletes and returns those of some timers that are due and that no other transaction has locked. */
export async function takeTimers(
  { query, accountId }: AccountWriter,
  timerIds: readonly string[],
  dueBy: Date,
): Promise<Timer[]> {
  const rows = await query(take, [accountId, timerIds, dueBy]);
  return rows.map(timerRow.toEntity);
}
