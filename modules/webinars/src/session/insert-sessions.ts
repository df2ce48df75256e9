import { type AccountWriter, column, createId, statement } from '@service/database';
import { type Session, sessionEnd } from '../entities/session.ts';
import type { Webinar } from '../entities/webinar.ts';
import type { Recurrence } from '../schedule/schedule.ts';

/** A session that should exist. */
export interface SessionDraft {
  kind: Session['kind'];
  control: Session['control'];
  startsAtMs: number;
  recurrenceKey: string | null;
  /** `cancelled` stops the schedule from offering this start again. Default: `scheduled`. */
  status?: 'scheduled' | 'cancelled';
}

type SessionWebinar = Pick<Webinar, 'accountId' | 'id' | 'timezone' | 'durationSeconds'>;

/** Makes a row for insertSessions. */
export const draftToRow = (webinar: SessionWebinar, draft: SessionDraft) => ({
  account_id: webinar.accountId,
  id: createId(),
  webinar_id: webinar.id,
  kind: draft.kind,
  control: draft.control,
  status: draft.status ?? 'scheduled',
  starts_at: new Date(draft.startsAtMs),
  ends_at: new Date(sessionEnd(draft, webinar)),
  timezone: webinar.timezone,
  recurrence_key: draft.recurrenceKey,
});

/** $1 the rows, $2 now. Leaves existing sessions of the same kind and start unchanged. */
const insertMissing = statement({
  name: 'webinars.insert_missing_sessions',
  text: `
    insert into webinars.session (account_id, id, webinar_id, kind, control, status, starts_at, ends_at, timezone,
      recurrence_key, position_seconds, created_at)
    select account_id, id, webinar_id, kind, control, status, starts_at, ends_at, timezone, recurrence_key, 0, $2
    from jsonb_to_recordset($1::jsonb) as r
      (account_id uuid, id uuid, webinar_id uuid, kind text, control text, status text, starts_at timestamptz,
       ends_at timestamptz, timezone text, recurrence_key text)
    order by account_id, webinar_id, starts_at
    on conflict on constraint session_webinar_kind_starts_at_unique do nothing
    returning id`,
  row: { id: column.id },
});

/** Inserts the sessions that do not exist yet. Returns their number. */
export async function insertSessions(
  { query, now }: Pick<AccountWriter, 'query' | 'now'>,
  rows: readonly ReturnType<typeof draftToRow>[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const made = await query(insertMissing, [JSON.stringify(rows), now]);
  return made.length;
}

/** Identifies the recurrence that a session comes from. */
export const recurrenceKey = ({ frequency, startDate, time }: Recurrence): string =>
  `${frequency}-${startDate}T${time}`;
