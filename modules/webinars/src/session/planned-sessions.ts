import type { AccountReader } from '@service/database';

interface PlannedQuery {
  webinarId: string;
  limit: number;
}

const selectPlanned = {
  name: 'webinars.select_planned_sessions',
  text: `
    select id, starts_at as "startsAt" from webinars.session
    where account_id = $1 and webinar_id = $2 and kind = 'scheduled' and status = 'scheduled' and starts_at > $3
    order by starts_at limit $4`,
};

/** The future scheduled sessions of a webinar, with or without registrations, soonest first. */
export const plannedSessions = (
  { query, accountId, now }: Pick<AccountReader, 'query' | 'accountId' | 'now'>,
  { webinarId, limit }: PlannedQuery,
): Promise<{ id: string; startsAt: Date }[]> => query(selectPlanned, [accountId, webinarId, now, limit]);
