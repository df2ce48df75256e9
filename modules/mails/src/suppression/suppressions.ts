import { column, statement, type AccountQueries, type AccountWriter } from '@service/database';
import type { SuppressionReason } from '../entities.ts';
import { addDays, dayColumns, dayOf } from '../queue/mail-counts.ts';

const selectOf = statement({
  name: 'mails.select_suppressed',
  text: 'select address, reason from mails.suppression where account_id = $1 and address = any($2::text[])',
  row: { address: column.text, reason: column.textOf<SuppressionReason>() },
});

/** The reasons for which the account does not write to some of these addresses, by address. */
export async function findSuppressions(
  { query, accountId }: AccountQueries,
  addresses: readonly string[],
): Promise<Map<string, SuppressionReason>> {
  const rows = await query(selectOf, [accountId, addresses.map((address) => address.toLowerCase())]);
  return new Map(rows.map(({ address, reason }) => [address, reason]));
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
    with added as (
      insert into mails.suppression as s (account_id, address, reason, added_at, note, added_by)
      select $1, address, reason, $3, note, "addedBy"
      from jsonb_to_recordset($2::jsonb) as d (address text, reason text, note text, "addedBy" text)
      order by address
      on conflict (account_id, address) do update
      set reason = excluded.reason, added_at = excluded.added_at, note = excluded.note, added_by = excluded.added_by
      where s.reason = 'unsubscribed' and excluded.reason <> 'unsubscribed'
      returning s.reason
    ), counted as (
      select $1::uuid as account_id, ${dayOf('$3::timestamptz')} as day,
        ${dayColumns({
          complained: `count(*) filter (where reason = 'complaint')`,
          unsubscribed: `count(*) filter (where reason = 'unsubscribed')`,
        })}
      from added where reason in ('complaint', 'unsubscribed') having count(*) > 0
    ), ${addDays('counted')}
    select from counted`,
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
