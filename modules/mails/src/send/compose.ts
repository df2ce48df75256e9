// Makes the mail that a person gets, from the facts at the moment of sending.
import { type Attendee, createCalendar, type JoinLinks } from '@service/attendees';
import { idTime } from '@service/database';
import type { OutgoingMail } from '@service/mail-senders';
import { publicTitleOf, type Webinar } from '@service/webinars';
import { textToHtml } from '../content/html.ts';
import type { MailFacts } from '../content/mail-facts.ts';
import type { MailText } from '../content/default-texts.ts';
import type { MailKind, Purpose, QueuedKind } from '../content/mail-kinds.ts';
import { fillIn, fillInLines } from '../content/variables.ts';
import type { WebinarMails } from '../content/webinar-mails.ts';
import type { MailData } from '../entities.ts';
import type { UnsubscribeLinks } from '../suppression/suppression-links.ts';
import type { Route } from './route.ts';

export interface ComposeParts {
  joinLinks: Pick<JoinLinks, 'urlOf'>;
  unsubscribeLinks: Pick<UnsubscribeLinks, 'urlOf'>;
  /** The public URL of the service. Its host is in the ids of mails. */
  baseUrl: string;
}

export interface Composed {
  id: string;
  kind: QueuedKind;
  purpose: Purpose;
  toAddress: string;
  data: MailData;
  /** Of a reminder. Undefined: the default text. */
  minutes?: number | null;
  /** Of a mail of a rule: it has a calendar file. */
  attachCalendar?: boolean;
}

interface Circumstances {
  attendee: Attendee;
  webinar: Webinar;
  settings: WebinarMails;
  workspaceName: string;
  route: Pick<Route, 'from' | 'replyTo'>;
  now: Date;
}

/** The text of a mail. Undefined: the settings have no such reminder any more. */
export function textOf(
  settings: WebinarMails,
  { kind, minutes }: { kind: MailKind; minutes?: number | null | undefined },
): (MailText & { enabled: boolean }) | undefined {
  if (kind !== 'reminder') return settings.kinds[kind];
  return settings.reminders.find(({ minutesBefore }) => minutesBefore === minutes);
}

export function composeMail(
  mail: Composed,
  text: MailText,
  { attendee, webinar, settings, workspaceName, route, now }: Circumstances,
  { joinLinks, unsubscribeLinks, baseUrl }: ComposeParts,
): OutgoingMail {
  const { registration, session } = attendee;
  const { formerStartsAt } = mail.data;
  const join = joinLinks.urlOf(registration);
  const unsubscribe = unsubscribeLinks.urlOf({ accountId: registration.accountId, address: mail.toAddress });
  const title = publicTitleOf(webinar);
  const facts: MailFacts = {
    attendee: registration,
    webinar: { title },
    session,
    timezone: registration.timezone ?? webinar.timezone,
    links: { join, replay: webinar.replay.enabled ? join : undefined, unsubscribe },
    workspaceName,
    formerStartsAt: formerStartsAt === undefined ? undefined : new Date(formerStartsAt),
    now,
  };
  const from = {
    name: settings.senderName ?? (route.from.name || workspaceName),
    address: route.from.address,
  };
  const subject = fillIn(text.subject, facts);
  const filled = fillInLines(text.text, facts);
  const replyTo = settings.replyTo ?? route.replyTo;
  const calendar = hasCalendar(mail, session)
    ? createCalendar(
        {
          registrationId: registration.id,
          changedAt: idTime(mail.id),
          title,
          startsAt: session.startsAt,
          endsAt: session.endsAt,
          joinLink: join,
          invitation: {
            organizer: from,
            attendee: { name: registration.name, address: mail.toAddress },
          },
        },
        { isCancelled: mail.kind === 'cancelled' },
      )
    : undefined;
  return {
    messageId: `<${mail.id}@${new URL(baseUrl).hostname}>`,
    idempotencyKey: mail.id,
    from,
    ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
    to: mail.toAddress,
    subject,
    text: filled,
    html: textToHtml({ subject, text: filled }),
    ...(calendar && { calendar }),
    ...(mail.purpose === 'marketing' && { unsubscribeUrl: unsubscribe }),
  };
}

/** An on-demand session begins with the registration, so there is no time to note. */
const hasCalendar = ({ kind, attachCalendar = false }: Composed, session: Attendee['session']): boolean =>
  session.kind !== 'on_demand' &&
  (attachCalendar || kind === 'confirmation' || kind === 'changed' || kind === 'cancelled');
