// A mail to members is one row until a worker has claimed it. Then it becomes the mail to the first member, and each other member gets a
// copy in the queue. One statement does both, so that a worker that dies makes no copy twice.
import { column, createId, idAt, statement, type AccountReader, type Query } from '@service/database';
import { addWaiting } from '../queue/mail-counts.ts';
import type { ClaimedMail } from './claim-mails.ts';
import { dailyMax } from './prepare.ts';

/** Addresses of members, owners first. */
export type ReadMemberAddresses = (reader: Pick<AccountReader, 'query' | 'accountId'>) => Promise<string[]>;

const membersMax = 20;

const dayMs = 86_400_000;

// As in the limits of `prepareMails`: addresses that lead to one mailbox count together.
const selectFree = statement({
  name: 'mails.select_free_addresses',
  text: `
    select address from unnest($2::text[]) with ordinality as a (address, place)
    where (select count(*) from (select from (select m.account_id from mails.mail m
          where mails.mailbox_of(m.to_address) = mails.mailbox_of(address) and m.id >= $3::uuid and m.status not in ('suppressed', 'failed')
          offset 0) as everyone
        where everyone.account_id = $1 limit ${dailyMax}) as own) < ${dailyMax}
    order by place`,
  row: { address: column.text },
});

const insertCopies = statement({
  name: 'mails.address_members',
  text: `
    with claimed as materialized (
      select mail_id, priority, expires_at, action_id, generation from mails.due
      where account_id = $1 and claim_token = $2::uuid and mail_id = any($4::uuid[])
      order by mail_id for update
    ), copy as materialized (
      select c.id, c."toAddress", claimed.*
      from jsonb_to_recordset($3::jsonb) as c (id uuid, "mailId" uuid, "toAddress" text) join claimed on claimed.mail_id = c."mailId"
    ), queued as (
      insert into mails.due (account_id, mail_id, priority, due_at, expires_at, action_id, generation)
      select $1, id, priority, now(), expires_at, action_id, generation from copy where id <> mail_id
    ), more as (
      select $1::uuid as account_id, count(*) as waiting from copy where id <> mail_id having count(*) > 0
    ), ${addWaiting('more')}, inserted as (
      insert into mails.mail
        (account_id, id, webinar_id, session_id, registration_id, kind, purpose, recipient, to_address, data)
      select $1, copy.id, m.webinar_id, m.session_id, m.registration_id, m.kind, m.purpose, m.recipient, copy."toAddress", m.data
      from copy join mails.mail m on m.account_id = $1 and m.id = copy.mail_id where copy.id <> copy.mail_id
    ), addressed as (
      select mail_id, max("toAddress") filter (where id = mail_id) as to_address, jsonb_agg(id) filter (where id <> mail_id) as copies
      from copy group by mail_id
    )
    update mails.mail first set to_address = addressed.to_address,
      data = first.data || jsonb_build_object('copies', coalesce(addressed.copies, '[]'))
    from addressed where first.account_id = $1 and first.id = addressed.mail_id
    returning first.id`,
  row: { id: column.id },
});

interface Claim {
  query: Query;
  accountId: string;
  token: string;
  now: Date;
  readMemberAddresses: ReadMemberAddresses;
}

/** The mails with their addresses. A mail to members stays without one when each of them has had twenty mails that day. */
export async function addressMembers(
  mails: readonly ClaimedMail[],
  { query, accountId, token, now, readMemberAddresses }: Claim,
): Promise<ClaimedMail[]> {
  const open = mails.filter(({ recipient, toAddress }) => recipient === 'members' && toAddress === '');
  if (open.length === 0) return [...mails];
  const members = (await readMemberAddresses({ query, accountId })).slice(0, membersMax);
  const since = idAt(new Date(now.getTime() - dayMs));
  const free = (await query(selectFree, [accountId, members, since])).map(({ address }) => address);
  const copies = open.flatMap((mail) =>
    free.map((toAddress, index) => ({ id: index === 0 ? mail.id : createId(), mailId: mail.id, toAddress })),
  );
  const written =
    copies.length === 0
      ? []
      : await query(insertCopies, [accountId, token, JSON.stringify(copies), open.map(({ id }) => id)]);
  const addressed = new Set(written.map(({ id }) => id));
  return mails.map((mail) =>
    // Without an address it was never sent, so a worker that died before has lost nothing.
    addressed.has(mail.id) ? { ...mail, toAddress: free[0]!, wasLost: false } : mail,
  );
}
