import { findErased } from '@service/attendees';
import { column, lowestId, statement, type AccountWriter, type Database } from '@service/database';
import type { MailEvent } from '@service/mail-senders';
import { addDays, dayColumns, dayOf } from '../queue/mail-counts.ts';
import { suppress } from './suppressions.ts';

// Reports of addresses that this connection has not written to in 90 days are ignored: a provider's account may send other mails.
// Those of erased people are not: their mails are deleted.
const insertNew = statement({
  name: 'mails.insert_reports',
  text: `
    insert into mails.provider_event (account_id, connection_id, event_id, kind, address, received_at)
    select $1, $2, "eventId", kind, address, $4
    from jsonb_to_recordset($3::jsonb) as e ("eventId" text, kind text, address text)
    where exists (select from mails.mail m
      where m.account_id = $1 and mails.mailbox_of(m.to_address) = mails.mailbox_of(address) and m.to_address = address
        and m.connection_id = $2 and m.id >= $5::uuid and m.status not in ('suppressed', 'failed'))
    on conflict do nothing returning event_id as "eventId"`,
  row: { eventId: column.text },
});

const bounceMails = statement({
  name: 'mails.bounce_mails',
  text: `
    with bounced as (
      update mails.mail m set status = 'bounced', reason = r.reason
      from jsonb_to_recordset($3::jsonb) as r ("providerMessageId" text, address text, reason text)
      where m.account_id = $1 and m.connection_id = $2 and m.id >= $4::uuid
        and mails.mailbox_of(m.to_address) = mails.mailbox_of(r.address) and m.to_address = r.address
        and m.provider_message_id = r."providerMessageId" and m.status in ('sent', 'uncertain')
      returning ${dayOf('coalesce(m.sent_at, now())')} as day
    ), moved as (
      select $1::uuid as account_id, day, ${dayColumns({ sent: '-count(*)', bounced: 'count(*)' })} from bounced group by day
    ), ${addDays('moved')}
    select from moved`,
});

const countSoft = statement({
  name: 'mails.count_soft_bounces',
  text: `
    select address from mails.provider_event
    where account_id = $1 and address = any($2::text[]) and kind = 'bounced_soft' and received_at > $3::timestamptz - interval '7 days'
    group by address having count(*) >= 3`,
  row: { address: column.text },
});

const deleteOld = statement({
  name: 'mails.delete_old_reports',
  text: `delete from mails.provider_event where received_at < $1::timestamptz - interval '90 days'`,
  allAccounts: 'Reports of every account are kept for 90 days.',
});

/** A provider repeats a report within days. */
export const deleteOldReports = async ({ query }: Pick<Database, 'query'>, now: Date): Promise<void> =>
  void (await query(deleteOld, [now]));

const reasons = {
  bounced_hard: 'hard_bounce',
  complained: 'complaint',
  unsubscribed: 'unsubscribed',
} as const;

interface Received {
  connectionId: string;
  events: readonly MailEvent[];
  /** The lowest id of a mail that a report may be about. */
  since: string;
}

/** Records reports of a provider, each once, and suppresses the addresses that they say so about. */
export async function recordReports(
  tx: AccountWriter,
  { connectionId, events, since }: Received,
): Promise<void> {
  const { query, accountId, now } = tx;
  const ofInterest = events
    .filter(({ kind }) => kind !== 'delivered')
    .map((event) => ({ ...event, address: event.email.toLowerCase(), eventId: event.eventId.slice(0, 300) }));
  if (ofInterest.length === 0) return;
  // The mails to them are deleted, and only the suppression of their hash remains of a report.
  const erased = await findErased(
    tx,
    ofInterest.map(({ address }) => address),
  );
  const ofErased = ofInterest.filter(({ address }) => erased.has(address));
  const others = ofInterest.filter(({ address }) => !erased.has(address));
  const inserted = await query(insertNew, [accountId, connectionId, JSON.stringify(others), now, since]);
  const fresh = new Set(inserted.map(({ eventId }) => eventId));
  const recorded = others.filter(({ eventId }) => fresh.has(eventId));
  await suppress(
    tx,
    [...recorded, ...ofErased].flatMap(({ kind, address, reason }) =>
      kind in reasons
        ? [{ address, reason: reasons[kind as keyof typeof reasons], note: reason ?? null }]
        : [],
    ),
    erased,
  );
  await query(bounceMails, [
    accountId,
    connectionId,
    JSON.stringify(recorded.filter(({ kind }) => kind === 'bounced_hard')),
    since,
  ]);
  await suppressAfterSoft(
    tx,
    recorded.filter(({ kind }) => kind === 'bounced_soft').map(({ address }) => address),
  );
}

interface SoftBounce {
  address: string;
  mailId: string;
  /** Undefined: the sender of the installation. */
  connectionId: string | undefined;
}

const insertSoft = statement({
  name: 'mails.insert_soft_bounces',
  text: `
    insert into mails.provider_event (account_id, connection_id, event_id, kind, address, received_at)
    select $1, "connectionId", "mailId", 'bounced_soft', address, $3
    from jsonb_to_recordset($2::jsonb) as b ("connectionId" uuid, "mailId" text, address text)
    on conflict do nothing`,
});

/** Records mails that a mail server did not take because of their recipient, and suppresses the addresses with too many of them. */
export async function recordSoftBounces(tx: AccountWriter, bounces: readonly SoftBounce[]): Promise<void> {
  if (bounces.length === 0) return;
  const rows = bounces.map((bounce) => ({
    ...bounce,
    address: bounce.address.toLowerCase(),
    connectionId: bounce.connectionId ?? lowestId,
  }));
  await tx.query(insertSoft, [tx.accountId, JSON.stringify(rows), tx.now]);
  await suppressAfterSoft(
    tx,
    rows.map(({ address }) => address),
  );
}

async function suppressAfterSoft(tx: AccountWriter, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  const often = await tx.query(countSoft, [tx.accountId, addresses, tx.now]);
  await suppress(
    tx,
    often.map(({ address }) => ({ address, reason: 'soft_bounces' })),
  );
}
