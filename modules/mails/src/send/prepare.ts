// Decides for each claimed mail whether it is still sent, and composes it.
import { findAttendees } from '@service/attendees';
import { column, idAt, idTime, statement, type AccountReader } from '@service/database';
import type { OutgoingMail } from '@service/mail-senders';
import { acceptsEvents, keysIn, loadWebinars } from '@service/webinars';
import type { MailStatus } from '../entities.ts';
import { loadSettings } from '../settings-store.ts';
import { findSuppressions, isStopped } from '../suppression/suppressions.ts';
import type { ClaimedMail } from './claim-mails.ts';
import { composeMail, textOf, type ComposeParts } from './compose.ts';
import type { Route } from './route.ts';

export type Prepared =
  | { kind: 'send'; mail: ClaimedMail; outgoing: OutgoingMail }
  | {
      kind: 'end';
      mail: ClaimedMail;
      status: Extract<MailStatus, 'suppressed' | 'too_late' | 'uncertain'>;
      reason: string;
    };

export interface PrepareParts extends ComposeParts {
  readWorkspaceName: (reader: Pick<AccountReader, 'query' | 'accountId'>) => Promise<string>;
}

type Reader = Pick<AccountReader, 'query' | 'accountId' | 'now'>;

export async function prepareMails(
  reader: Reader,
  mails: readonly ClaimedMail[],
  { route, ...parts }: PrepareParts & { route: Route },
): Promise<Prepared[]> {
  const { query, accountId, now } = reader;
  const webinarIds = mails.map(({ webinarId }) => webinarId);
  const [attendees, webinars, settings, suppressions, refused, workspaceName] = await Promise.all([
    findAttendees(reader, [...new Set(mails.map(({ registrationId }) => registrationId))]),
    loadWebinars(query, keysIn(accountId, webinarIds)),
    loadSettings(reader, webinarIds),
    findSuppressions(
      reader,
      mails.map(({ toAddress }) => toAddress),
    ),
    findExcess(reader, mails, route),
    parts.readWorkspaceName(reader),
  ]);
  const attendeeById = new Map(attendees.map((attendee) => [attendee.registration.id, attendee]));
  return mails.map((mail) => {
    const end = (status: 'suppressed' | 'too_late', reason: string): Prepared => ({
      kind: 'end',
      mail,
      // Its first send may have succeeded.
      status: mail.uncertainAt ? 'uncertain' : status,
      reason,
    });
    const suppression = suppressions.get(mail.toAddress.toLowerCase());
    if (isStopped(suppression, mail.purpose)) return end('suppressed', suppression!);
    if (refused.has(mail.id)) return end('suppressed', 'too_many');
    if (mail.expiresAt <= now) return end('too_late', 'It found no sender in time.');
    const attendee = attendeeById.get(mail.registrationId);
    const webinar = webinars.get(mail.webinarId);
    if (!attendee || !webinar) return end('too_late', 'The registration does not exist any more.');
    const ofWebinar = settings.get(mail.webinarId)!;
    const text = textOf(ofWebinar, mail);
    const { consentText } = webinar.registrationForm;
    if (mail.purpose === 'marketing' && consentText !== null && !attendee.registration.consent?.given)
      return end('suppressed', 'no_consent');
    if (!ofWebinar.enabled || !text?.enabled) return end('too_late', 'This mail was switched off.');
    if (mail.kind !== 'cancelled') {
      if (!acceptsEvents(webinar)) return end('too_late', 'The webinar is not published any more.');
      if (attendee.registration.status === 'cancelled')
        return end('too_late', 'The registration was cancelled.');
      if (attendee.session.status === 'cancelled') return end('too_late', 'The session was cancelled.');
      if (attendee.session.id !== mail.sessionId) return end('too_late', 'The registration was moved.');
    }
    const circumstances = { attendee, webinar, settings: ofWebinar, workspaceName, route, now };
    return { kind: 'send', mail, outgoing: composeMail(mail, text, circumstances, parts) };
  });
}

/** Mails of an account to one mailbox in a day. */
const dailyMax = 20;

/** Mails to one mailbox in an hour, of all accounts that use the sender of the installation. */
const hourlyMax = { confirmation: 10, other: 20 };

const dayMs = 86_400_000;
const hourMs = 3_600_000;

// Earlier mails count, so that all workers decide alike. $3: ids of a day earlier, $4: of an hour earlier. No count goes on beyond
// its limit, and the index has no suppressed mails: a stranger who has thousands of them made for an address slows no other account.
// Addresses that lead to one mailbox count together (`mails.mailbox_of`). Confirmations have a limit of their own, so that other mails
// cannot keep a person from getting a join link. `offset 0` has Postgres read the mails of a mailbox and not those of an account.
const selectExcess = statement({
  name: 'mails.select_excess',
  text: `
    select m.id from unnest($2::uuid[], $5::text[], $3::uuid[], $4::uuid[], $7::boolean[]) as m (id, address, day, hour, confirms)
    where (select count(*) from (select from (select e.account_id from mails.mail e
          where mails.mailbox_of(e.to_address) = mails.mailbox_of(m.address) and e.id >= m.day and e.id < m.id
            and e.status not in ('suppressed', 'failed')
          offset 0) as everyone
        where everyone.account_id = $1 limit ${dailyMax}) as own) = ${dailyMax}
      or $6::boolean and (select count(*) from (select from mails.mail other
        where mails.mailbox_of(other.to_address) = mails.mailbox_of(m.address) and other.id >= m.hour and other.id < m.id
          and other.status not in ('suppressed', 'failed') and (other.kind = 'confirmation') = m.confirms
          and coalesce(other.sender, 'installation') = 'installation'
        limit ${hourlyMax.other}) as recent) >= case when m.confirms then ${hourlyMax.confirmation} else ${hourlyMax.other} end`,
  allAccounts: 'A stranger can register one address with every account, so the mails of all accounts count.',
  row: { id: column.id },
});

async function findExcess(
  { query, accountId }: Reader,
  mails: readonly ClaimedMail[],
  { sender }: Pick<Route, 'sender'>,
): Promise<Set<string>> {
  const before = (spanMs: number): string[] =>
    mails.map(({ id }) => idAt(new Date(idTime(id).getTime() - spanMs)));
  const rows = await query(selectExcess, [
    accountId,
    mails.map(({ id }) => id),
    before(dayMs),
    before(hourMs),
    mails.map(({ toAddress }) => toAddress),
    sender === 'installation',
    mails.map(({ kind }) => kind === 'confirmation'),
  ]);
  return new Set(rows.map(({ id }) => id));
}
