import type { Transaction } from '@service/database';

/** Something about an endpoint that its owners should hear of. */
export interface Notice {
  id: string;
  accountId: string;
  endpointId: string;
  kind: 'paused' | 'recovered';
  /** What its last attempt failed with. */
  reason: string | null;
  at: Date;
  url: string;
}

/** Takes notices that nobody has been told of, oldest first, and marks them as told in the caller's transaction. */
export async function takeNotices(
  { query }: Pick<Transaction, 'query'>,
  { limit, now }: { limit: number; now: Date },
): Promise<Notice[]> {
  const rows = await query<NoticeRow>({ text: takeUntold }, [limit, now]);
  return rows.map(({ account_id: accountId, endpoint_id: endpointId, ...rest }) => ({
    ...rest,
    accountId,
    endpointId,
  }));
}

interface NoticeRow extends Omit<Notice, 'accountId' | 'endpointId'> {
  account_id: string;
  endpoint_id: string;
}

const takeUntold = `
  with taken as (
    update deliveries.endpoint_notice set told_at = $2
    where id = any(array(
      select id from deliveries.endpoint_notice where told_at is null order by id limit $1 for update skip locked
    ))
    returning id, account_id, endpoint_id, kind, reason, at
  )
  select taken.*, endpoint.url
  from taken join deliveries.endpoint
    on endpoint.id = taken.endpoint_id and endpoint.account_id = taken.account_id
  order by taken.id`;
