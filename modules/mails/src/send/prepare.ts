// Decides for each claimed mail whether it is still sent, and composes it.
import { loadAttendees } from '@service/attendees';
import { column, idAt, idTime, statement, type Query } from '@service/database';
import type { Log } from '@service/log';
import type { OutgoingMail } from '@service/mail-senders';
import { acceptsEvents, loadWebinars } from '@service/webinars';
import { withUnsubscribe, type RuleMail } from '../content/rule-mail.ts';
import type { WebinarMails } from '../content/webinar-mails.ts';
import type { MailStatus } from '../entities.ts';
import { ruleMailEnded } from '../queue/rule-mails.ts';
import { loadSettings } from '../settings-store.ts';
import { findSuppressions, isStopped } from '../suppression/suppressions.ts';
import type { MailText } from '../content/default-texts.ts';
import type { ClaimedMail } from './claim-mails.ts';
import { composeMail, textOf, type ComposeParts } from './compose.ts';
import type { Route } from './route.ts';

export type Prepared =
  | { kind: 'send'; mail: ClaimedMail; outgoing: OutgoingMail }
  | {
      kind: 'end';
      mail: ClaimedMail;
      status: Extract<MailStatus, 'suppressed' | 'too_late' | 'uncertain' | 'failed'>;
      reason: string;
    };

/** The mail of an action of an enabled rule, with the number of times that the rule was switched off before. */
export type SavedRuleMail = RuleMail & { generation: number };

export interface PrepareParts extends ComposeParts {
  /** The mails of enabled rules, by the id of their action. */
  readRuleMails: (
    query: Query,
    keys: readonly { accountId: string; id: string }[],
  ) => Promise<Map<string, SavedRuleMail>>;
  /** By account id. */
  readWorkspaceNames: (query: Query, accountIds: readonly string[]) => Promise<Map<string, string>>;
  log: Pick<Log, 'error'>;
}

interface Reader {
  query: Query;
  now: Date;
}

/** Mails of several accounts, in their order. Every fact is read in one statement for all of them. */
export async function prepareMails(
  { query, now }: Reader,
  mails: readonly ClaimedMail[],
  { routeOf, log, ...parts }: PrepareParts & { routeOf: (accountId: string) => Route },
): Promise<Prepared[]> {
  const webinarKeys = keysOf(mails, 'webinarId');
  const [attendees, webinars, settings, suppressions, refused, workspaceNames, ruleMails] = await Promise.all(
    [
      loadAttendees(query, keysOf(mails, 'registrationId')),
      loadWebinars(query, webinarKeys),
      loadSettings(query, webinarKeys),
      findSuppressions(query, mails),
      findExcess(query, mails, routeOf),
      parts.readWorkspaceNames(query, [...new Set(mails.map(({ accountId }) => accountId))]),
      parts.readRuleMails(query, ruleKeysOf(mails)),
    ],
  );
  const attendeeById = new Map(attendees.map((attendee) => [attendee.registration.id, attendee]));
  return mails.map((mail) => {
    const { accountId } = mail;
    const end = (status: 'suppressed' | 'too_late' | 'failed', reason: string): Prepared => ({
      kind: 'end',
      mail,
      // Its first send may have succeeded.
      status: mail.uncertainAt ? 'uncertain' : status,
      reason,
    });
    const suppression = suppressions.get(mail.id);
    if (isStopped(suppression, mail.purpose)) return end('suppressed', suppression!);
    if (mail.toAddress === '' || refused.has(mail.id)) return end('suppressed', 'too_many');
    if (mail.expiresAt <= now) return end('too_late', 'It found no sender in time.');
    const attendee = attendeeById.get(mail.registrationId);
    const webinar = webinars.get(mail.webinarId);
    if (!attendee || !webinar) return end('too_late', 'The registration does not exist any more.');
    const ofWebinar = settings.get(mail.webinarId)!;
    const { consentText } = webinar.registrationForm;
    if (mail.purpose === 'marketing' && consentText !== null && !attendee.registration.consent?.given)
      return end('suppressed', 'no_consent');
    const found = findText(mail, { settings: ofWebinar, ruleMails });
    if (found.kind === 'off') return end('too_late', found.reason);
    if (mail.kind !== 'cancelled' && mail.recipient === 'attendee') {
      if (!acceptsEvents(webinar)) return end('too_late', 'The webinar is not published any more.');
      if (attendee.registration.status === 'cancelled')
        return end('too_late', 'The registration was cancelled.');
      if (attendee.session.status === 'cancelled') return end('too_late', 'The session was cancelled.');
      if (attendee.session.id !== mail.sessionId) return end('too_late', 'The registration was moved.');
    }
    const workspaceName = workspaceNames.get(accountId) ?? '';
    const route = routeOf(accountId);
    // A provider that may have taken the mail recognizes it only by the same text.
    const textAt = mail.uncertainAt ?? now;
    const circumstances = { attendee, webinar, settings: ofWebinar, workspaceName, route, now: textAt };
    const { text, attachCalendar } = found;
    try {
      const outgoing = composeMail({ ...mail, attachCalendar }, text, circumstances, parts);
      return { kind: 'send', mail, outgoing };
    } catch (error) {
      log.error({ err: error, accountId, mailId: mail.id }, 'A mail could not be composed');
      return end('failed', 'The mail could not be composed.');
    }
  });
}

/** Each once. */
const keysOf = (
  mails: readonly ClaimedMail[],
  name: 'webinarId' | 'registrationId',
): { accountId: string; id: string }[] => [
  ...new Map(mails.map(({ accountId, [name]: id }) => [id, { accountId, id }])).values(),
];

const ruleKeysOf = (mails: readonly ClaimedMail[]): { accountId: string; id: string }[] => [
  ...new Map(
    mails.flatMap(({ accountId, data: { rule } }) => (rule ? [[rule.id, { accountId, id: rule.id }]] : [])),
  ).values(),
];

type FoundText = { kind: 'on'; text: MailText; attachCalendar: boolean } | { kind: 'off'; reason: string };

function findText(
  { kind, minutes, actionId, generation, recipient, purpose }: ClaimedMail,
  { settings, ruleMails }: { settings: WebinarMails; ruleMails: ReadonlyMap<string, SavedRuleMail> },
): FoundText {
  if (kind === 'rule') {
    const saved = actionId === null ? undefined : ruleMails.get(actionId);
    // The present text may be for other people, and its purpose decides who gets it.
    if (saved?.generation !== generation || saved.to !== recipient || saved.purpose !== purpose)
      return { kind: 'off', reason: ruleMailEnded };
    return { kind: 'on', text: withUnsubscribe(saved, saved.purpose), attachCalendar: saved.attachCalendar };
  }
  const text = textOf(settings, { kind, minutes });
  return settings.enabled && text?.enabled
    ? { kind: 'on', text, attachCalendar: false }
    : { kind: 'off', reason: 'This mail was switched off.' };
}

/** Mails of an account to one mailbox in a day. */
export const dailyMax = 20;

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
    select m.id from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::boolean[], $7::boolean[])
      as m (account_id, id, day, hour, address, is_by_installation, confirms)
    where (select count(*) from (select from (select e.account_id from mails.mail e
          where mails.mailbox_of(e.to_address) = mails.mailbox_of(m.address) and e.id >= m.day and e.id < m.id
            and e.status not in ('suppressed', 'failed')
          offset 0) as everyone
        where everyone.account_id = m.account_id limit ${dailyMax}) as own) = ${dailyMax}
      or m.is_by_installation and (select count(*) from (select from mails.mail other
        where mails.mailbox_of(other.to_address) = mails.mailbox_of(m.address) and other.id >= m.hour and other.id < m.id
          and other.status not in ('suppressed', 'failed') and (other.kind = 'confirmation') = m.confirms
          and coalesce(other.sender, 'installation') = 'installation'
        limit ${hourlyMax.other}) as recent) >= case when m.confirms then ${hourlyMax.confirmation} else ${hourlyMax.other} end`,
  allAccounts: 'A stranger can register one address with every account, so the mails of all accounts count.',
  row: { id: column.id },
});

async function findExcess(
  query: Query,
  mails: readonly ClaimedMail[],
  routeOf: (accountId: string) => Pick<Route, 'sender'>,
): Promise<Set<string>> {
  const before = (spanMs: number): string[] =>
    mails.map(({ id }) => idAt(new Date(idTime(id).getTime() - spanMs)));
  const rows = await query(selectExcess, [
    mails.map(({ accountId }) => accountId),
    mails.map(({ id }) => id),
    before(dayMs),
    before(hourMs),
    mails.map(({ toAddress }) => toAddress),
    mails.map(({ accountId }) => routeOf(accountId).sender === 'installation'),
    mails.map(({ kind }) => kind === 'confirmation'),
  ]);
  return new Set(rows.map(({ id }) => id));
}
