import { column, statement, type AccountWriter, type Query } from '@service/database';
import type { SuppressionReason } from '../entities.ts';

const selectOf = statement({
  name: 'mails.select_suppressed',
  text: `
    select m.id, s.reason from unnest($1::uuid[], $2::uuid[], $3::text[]) as m (account_id, id, address)
    join mails.suppression s on s.account_id = m.account_id and s.address = m.address`,
  row: { id: column.id, reason: column.textOf<SuppressionReason>() },
});

/** The reasons for which accounts do not write to the addresses of some of these mails, by the id of the mail. */
export async function findSuppressions(
  query: Query,
  mails: readonly { accountId: string; id: string; toAddress: string }[],
): Promise<Map<string, SuppressionReason>> {
  const rows = await query(selectOf, [
    mails.map(({ accountId }) => accountId),
    mails.map(({ id }) => id),
    mails.map(({ toAddress }) => toAddress.toLowerCase()),
  ]);
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

/** `unsubscribed` stops only marketing mails: a person still gets the link to the webinar that they registered for. */
export const isStopped = (reason: SuppressionReason | undefined, purpose: 'service' | 'marketing'): boolean =>
  reason !== undefined && (purpose === 'marketing' || reason !== 'unsubscribed');

interface SuppressionDraft {
  address: string;
  reason: SuppressionReason;
  note?: string | null;
  addedBy?: string | null;
}

// A reason that stops every mail replaces one that stops only marketing mails, and never the other way round.
const insert = statement({
  name: 'mails.suppress',
  text: `
    insert into mails.suppression as s (account_id, address, reason, added_at, note, added_by)
    select $1, address, reason, $3, note, "addedBy"
    from jsonb_to_recordset($2::jsonb) as d (address text, reason text, note text, "addedBy" text)
    order by address
    on conflict (account_id, address) do update
    set reason = excluded.reason, added_at = excluded.added_at, note = excluded.note, added_by = excluded.added_by
    where s.reason = 'unsubscribed' and excluded.reason <> 'unsubscribed'`,
});

export async function suppress(
  { query, accountId, now }: AccountWriter,
  drafts: readonly SuppressionDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  const byAddress = new Map(
    drafts.map((draft) => {
      const address = draft.address.toLowerCase();
      return [address, { note: null, addedBy: null, ...draft, address }];
    }),
  );
  await query(insert, [accountId, JSON.stringify([...byAddress.values()]), now]);
}
