import { column, nullable, statement, type AccountWriter, type RowsOf } from '@service/database';
import type { MailData } from '../entities.ts';

/** The row of one timer, locked. */
export type LockedTimer = RowsOf<typeof lockTimer>;

export interface TimerKey {
  sessionId: string;
  kind: 'plan' | 'changed' | 'cancelled';
}

// Not deleted and written back: a session that changes meanwhile must find the row, and waits for it.
const lockTimer = statement({
  name: 'mails.lock_session_timer',
  text: `
    select session_id as "sessionId", kind, webinar_id as "webinarId", done_until as "doneUntil", after_registration_id as "afterRegistrationId", data
    from mails.session_timer
    where account_id = $1 and session_id = $2 and kind = $3 and due_at <= $4 for update skip locked`,
  row: {
    sessionId: column.id,
    kind: column.textOf<TimerKey['kind']>(),
    webinarId: column.id,
    doneUntil: nullable(column.time),
    afterRegistrationId: nullable(column.id),
    data: column.json<MailData>(),
  },
});

/** Locks a timer that is due. Undefined if another worker has it. */
export async function lockDueTimer(
  { query, accountId }: AccountWriter,
  { sessionId, kind }: TimerKey,
  dueBy: Date,
): Promise<LockedTimer | undefined> {
  const [timer] = await query(lockTimer, [accountId, sessionId, kind, dueBy]);
  return timer;
}

const update = statement({
  name: 'mails.update_session_timer',
  text: `
    update mails.session_timer set due_at = coalesce($4, due_at), done_until = $5, after_registration_id = $6
    where account_id = $1 and session_id = $2 and kind = $3`,
});

export const writeTimer = (
  { defer, accountId }: AccountWriter,
  { sessionId, kind, doneUntil, afterRegistrationId }: Omit<LockedTimer, 'webinarId' | 'data'>,
  dueAt?: Date,
): void => defer(update, [accountId, sessionId, kind, dueAt ?? null, doneUntil, afterRegistrationId]);

const remove = statement({
  name: 'mails.delete_session_timers',
  text: `
    delete from mails.session_timer where account_id = $1 and session_id = any($2::uuid[]) and kind = any($3::text[])`,
});

export const deleteTimers = (
  { defer, accountId }: AccountWriter,
  sessionIds: readonly string[],
  kinds: readonly TimerKey['kind'][],
): void => {
  if (sessionIds.length > 0) defer(remove, [accountId, sessionIds, kinds]);
};

const revise = statement({
  name: 'mails.revise_plans',
  text: `
    update mails.session_timer set due_at = $3 where account_id = $1 and session_id = any($2::uuid[]) and kind = 'plan'`,
});

/** Has workers compute the next moment of these sessions again. */
export const revisePlans = (
  { defer, accountId, now }: AccountWriter,
  sessionIds: readonly string[],
): void => {
  if (sessionIds.length > 0) defer(revise, [accountId, sessionIds, now]);
};

interface Announcement extends TimerKey {
  webinarId: string;
  data: MailData;
}

// The first former start stays: people know that one.
const announce = statement({
  name: 'mails.put_announcements',
  text: `
    insert into mails.session_timer as t (account_id, session_id, kind, webinar_id, due_at, data)
    select $1, "sessionId", kind, "webinarId", $3, data
    from jsonb_to_recordset($2::jsonb) as a ("sessionId" uuid, kind text, "webinarId" uuid, data jsonb)
    order by "sessionId", kind
    on conflict (account_id, session_id, kind) do update set due_at = excluded.due_at, after_registration_id = null`,
});

/** Has workers write to everybody who is registered for these sessions. */
export const putAnnouncements = (
  { defer, accountId, now }: AccountWriter,
  announcements: readonly Announcement[],
): void => {
  if (announcements.length > 0) defer(announce, [accountId, JSON.stringify(announcements), now]);
};
