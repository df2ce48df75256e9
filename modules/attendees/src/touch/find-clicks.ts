import { column, nullable, statement, type AccountReader } from '@service/database';

/** A click on an offer, a CTA or a handout. Its id is the `svc_click` of the redirect. */
export interface Click {
  id: string;
  registrationId: string;
  /** Null for a CTA or a handout. */
  offerId: string | null;
  at: Date;
}

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

// Without a name, so that it is planned with the ids: a prepared plan would read every month.
const selectClicks = statement({
  text: `
    select id, registration_id as "registrationId", data ->> 'offerId' as "offerId", occurred_at as at
    from attendees.attendee_event
    where account_id = $1 and id = any($2::uuid[]) and type in ('cta_click', 'handout_download')`,
  row: {
    id: column.id,
    registrationId: column.id,
    offerId: nullable(column.text),
    at: column.time,
  },
});

/** Finds clicks by id. Leaves out unknown ids, ids of another account, and clicks that were deleted with old events. */
export async function findClicks({ query, accountId }: Reader, ids: readonly string[]): Promise<Click[]> {
  if (ids.length === 0) return [];
  return query(selectClicks, [accountId, [...new Set(ids)]]);
}

const selectAddresses = statement({
  name: 'attendees.select_addresses',
  text: 'select id, email from attendees.registration where account_id = $1 and id = any($2::uuid[])',
  row: { id: column.id, email: column.text },
});

/** The e-mail addresses of registrations, by id. Leaves out unknown ids and ids of another account. */
export async function findAddresses(
  { query, accountId }: Reader,
  registrationIds: readonly string[],
): Promise<Map<string, string>> {
  if (registrationIds.length === 0) return new Map();
  const rows = await query(selectAddresses, [accountId, [...new Set(registrationIds)]]);
  return new Map(rows.map(({ id, email }) => [id, email]));
}
