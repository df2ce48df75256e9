// The part of this module in erasures: the mails, the reports about them, and the address among those that are not written to.
import { findErased } from '@service/attendees';
import { column, statement, type AccountWriter } from '@service/database';
import type { ErasePerson } from '@service/module';
import { erasedAddress, type SecretBox } from '@service/secrets';
import { eraseFromMailbox } from '../mailbox.ts';
import { addWaiting } from '../queue/mail-counts.ts';

const mailsMax = 1000;

// A mail that a worker has claimed may still be sent. Its result finds no row any more.
const deleteMails = statement({
  name: 'mails.delete_mails_of_person',
  text: `
    with found as materialized (
      select f.id from mails.mail f where f.account_id = $1 and f.registration_id = any($2::uuid[]) limit $3
    ), waiting as (
      delete from mails.due w using found where w.account_id = $1 and w.mail_id = found.id returning w.account_id
    ), fewer as (
      select account_id, -count(*) as waiting from waiting group by account_id
    ), ${addWaiting('fewer')}, gone as (
      delete from mails.mail m using found where m.account_id = $1 and m.id = found.id returning m.id
    )
    select count(*)::int as count from gone`,
  row: { count: column.integer },
});

// $3: received at that time or earlier, $4: later ones too.
const deleteReports = statement({
  name: 'mails.delete_reports_of_person',
  text: 'delete from mails.provider_event where account_id = $1 and address = $2 and ($4::boolean or received_at <= $3::timestamptz)',
});

// The person stays out: the hash of the address stops the same mails. $3: in the place of the address, $4: added at that time or earlier,
// $5: later ones too, unless a member has added them.
const hashSuppression = statement({
  name: 'mails.hash_suppression',
  text: `
    with gone as (
      delete from mails.suppression g where g.account_id = $1 and g.address = $2
        and (g.added_at <= $4::timestamptz or $5::boolean and g.reason <> 'by_hand')
      returning g.reason, g.added_at
    )
    insert into mails.suppression as kept (account_id, address, reason, added_at) select $1, $3, reason, added_at from gone
    on conflict (account_id, address) do update set reason = excluded.reason, added_at = excluded.added_at
    where kept.reason = 'unsubscribed'`,
});

export const createMailEraser = ({ secretBox }: { secretBox: SecretBox }): ErasePerson =>
  async function eraseMails(tx: AccountWriter, { email, registrationIds, until, isRepetition }) {
    const { query, accountId } = tx;
    const [gone] = await query(deleteMails, [accountId, registrationIds, mailsMax]);
    if (gone!.count === mailsMax) return 'more';
    // Work that was running at the time of the request may have written the address of a person who has not come back.
    const withLater = isRepetition && (await findErased(tx, [email])).has(email);
    await query(deleteReports, [accountId, email, until, withLater]);
    await query(hashSuppression, [accountId, email, erasedAddress(accountId, email), until, withLater]);
    await eraseFromMailbox(tx, email, secretBox);
    return null;
  };
