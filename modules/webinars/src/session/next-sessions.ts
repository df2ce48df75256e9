import type { AccountReader } from '@service/database';
import type { Session } from '../entities/session.ts';

const selectNext = `
  select s.* from jsonb_array_elements_text(?::jsonb) as w (id)
  cross join lateral (
    select id, webinar_id, starts_at, ends_at from webinars.session
    where account_id = ? and webinar_id = w.id::uuid and kind = 'scheduled' and status = 'scheduled' and starts_at > ?
    order by starts_at limit 1
  ) s`;

type NextSession = Pick<Session, 'id' | 'startsAt' | 'endsAt' | 'status'>;

interface Row {
  id: string;
  webinar_id: string;
  starts_at: Date;
  ends_at: Date;
}

/** The next scheduled session of each webinar, by webinar id. */
export async function nextSessions(
  reader: AccountReader,
  webinarIds: readonly string[],
): Promise<Map<string, NextSession>> {
  if (webinarIds.length === 0) return new Map();
  const rows = await reader.em.execute<Row[]>(selectNext, [
    JSON.stringify(webinarIds),
    reader.accountId,
    reader.now,
  ]);
  return new Map(
    rows.map((row) => [
      row.webinar_id,
      {
        id: row.id,
        startsAt: new Date(row.starts_at),
        endsAt: new Date(row.ends_at),
        status: 'scheduled',
      },
    ]),
  );
}
