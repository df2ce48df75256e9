import { findErased } from '@service/attendees';
import {
  column,
  nullable,
  statement,
  type AccountReader,
  type AccountWriter,
  type Query,
  type RowsOf,
} from '@service/database';
import { erasedAddress } from '@service/secrets';
import type { SuppressionReason } from '../entities.ts';
import { mailErrors } from '../errors.ts';
import { addDays, dayColumns, dayOf } from '../queue/mail-counts.ts';

// $4: `erasedAddress` of each one, for people who were erased and register again.
const selectOf = statement({
  name: 'mails.select_suppressed',
  text: `
    select m.id, s.reason from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as m (account_id, id, address, erased)
    join mails.suppression s on s.account_id = m.account_id and s.address in (m.address, m.erased)
    order by s.reason = 'unsubscribed' desc`,
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
    mails.map(({ accountId, toAddress }) => erasedAddress(accountId, toAddress)),
  ]);
  // The last one counts: a reason that stops every mail.
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

const selectAddresses = statement({
  name: 'mails.select_suppressed_addresses',
  text: 'select address from mails.suppression where account_id = $1 and address = any($2::text[])',
  row: { address: column.text },
});

/**
 * Those of these addresses that the account does not write marketing mails to, in lower case. Every reason counts, because a bounce replaces
 * an unsubscription.
 */
export async function findSuppressed(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  addresses: readonly string[],
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const addressOf = new Map(
    addresses.map((each) => {
      const address = each.toLowerCase();
      return [erasedAddress(accountId, address), address] as const;
    }),
  );
  const rows = await query(selectAddresses, [accountId, [...addressOf.keys(), ...addressOf.values()]]);
  return new Set(rows.map(({ address }) => addressOf.get(address) ?? address));
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

/** The address of a person who was erased and has not come back is kept as a hash, unless a member adds it. `known`: these people. */
export async function suppress(
  tx: AccountWriter,
  drafts: readonly SuppressionDraft[],
  known?: ReadonlySet<string>,
): Promise<void> {
  if (drafts.length === 0) return;
  const { query, accountId, now } = tx;
  const asked = drafts.flatMap(({ address, reason }) =>
    reason === 'by_hand' ? [] : [address.toLowerCase()],
  );
  const erased = known ?? (await findErased(tx, asked));
  // The last draft of an address is kept, and no other reason may give way to `unsubscribed`.
  const byAddress = new Map(
    drafts.toSorted(weakestFirst).map((draft) => {
      const address = draft.address.toLowerCase();
      if (!erased.has(address)) return [address, { note: null, addedBy: null, ...draft, address }];
      const hash = erasedAddress(accountId, address);
      return [hash, { note: null, addedBy: null, reason: draft.reason, address: hash }];
    }),
  );
  await query(insert, [accountId, JSON.stringify([...byAddress.values()]), now]);
}

const weakestFirst = (one: SuppressionDraft, other: SuppressionDraft): number =>
  Number(other.reason === 'unsubscribed') - Number(one.reason === 'unsubscribed');

// $2 the last address of the page before, $3 the beginning of an address, $4 the text after all of these, $5 a whole domain.
const selectPage = statement({
  name: 'mails.list_suppressions',
  text: `
    select * from (
      (select address, reason, added_at as "addedAt", note from mails.suppression b
        where b.account_id = $1 and b.address collate "C" > $2 and b.address collate "C" >= $3 and b.address collate "C" < $4
          and b.address not like 'erased:%'
        order by b.address collate "C" limit $6)
      union all
      (select address, reason, added_at, note from mails.suppression d
        where d.account_id = $1 and split_part(d.address, '@', 2) collate "C" = $5 and d.address collate "C" > $2
          and not d.address ^@ $3
        order by d.address collate "C" limit $6)
    ) found
    order by address collate "C" limit $6`,
  row: {
    address: column.text,
    reason: column.textOf<SuppressionReason>(),
    addedAt: column.time,
    note: nullable(column.text),
  },
});

/** After each text in the order of bytes. */
const lastText = '\u{10ffff}';

/** A page of the suppressed addresses, in the order of their bytes. `q`: the beginning of an address, or a domain with or without its @. */
export async function listSuppressions(
  { query, accountId }: AccountReader,
  { q = '', after, limit }: { q?: string | undefined; after?: string | undefined; limit: number },
): Promise<(Omit<RowsOf<typeof selectPage>, 'addedAt'> & { addedAt: string })[]> {
  const domain = q.replace(/^@/, '') || null;
  const rows = await query(selectPage, [accountId, after ?? '', q, q + lastText, domain, limit]);
  return rows.map((row) => ({ ...row, addedAt: row.addedAt.toISOString() }));
}

export const addSuppression = (
  tx: AccountWriter,
  { address, note }: Pick<SuppressionDraft, 'address' | 'note'>,
  addedBy: string,
): Promise<void> => suppress(tx, [{ address, note, addedBy, reason: 'by_hand' }]);

const remove = statement({
  name: 'mails.remove_suppression',
  text: 'delete from mails.suppression where account_id = $1 and address = any($2::text[]) returning address',
  row: { address: column.text },
});

/** Throws suppression_not_found. */
export async function removeSuppression(
  { query, accountId }: AccountWriter,
  { address }: { address: string },
): Promise<void> {
  const removed = await query(remove, [accountId, [address, erasedAddress(accountId, address)]]);
  if (removed.length === 0) throw mailErrors.suppression_not_found();
}
