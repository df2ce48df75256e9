import type { Attendee } from '@service/attendees';
import { idTime, lowestIdSince, type AccountReader, type AccountWriter } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import { acceptsEvents } from '@service/webinars';
import type { z } from 'zod';
import type { MailKind } from '../content/mail-kinds.ts';
import { Mail } from '../entities.ts';
import { mailErrors } from '../errors.ts';
import { maySendAgain, queueMails, recipientOf } from '../queue/queue-mails.ts';
import { textOf } from '../send/compose.ts';
import { loadSettings } from '../settings-store.ts';
import { findAttendee } from './find-attendee.ts';
import type { ListMailsInput, MailOutput, SendMailInput } from './schemas.ts';

/** A page of the mails of a registration, newest first. Throws webinar_not_found, registration_not_found. */
export async function listMails(
  reader: AccountReader,
  { limit, cursor, ...filters }: z.output<typeof ListMailsInput>,
) {
  const { attendee } = await findAttendee(reader, filters);
  const { accountId, id: registrationId } = attendee.registration;
  const scope = { list: 'registration_mails', accountId, filters };
  const after = cursorId(cursor, scope);
  const mails = await reader.em.find(
    Mail,
    { accountId, registrationId, id: { $gte: lowestIdSince(registrationId), ...(after && { $lt: after }) } },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  return toPage(mails, { limit, scope, toItem: mailToOutput });
}

const mailToOutput = (mail: Mail): z.input<typeof MailOutput> => ({
  id: mail.id,
  registrationId: mail.registrationId,
  sessionId: mail.sessionId,
  kind: mail.kind,
  minutesBefore: mail.minutes ?? null,
  to: mail.toAddress,
  status: mail.status,
  reason: mail.reason ?? null,
  queuedAt: idTime(mail.id).toISOString(),
  sentAt: mail.sentAt?.toISOString() ?? null,
  sender: mail.sender ?? null,
  connectionId: mail.connectionId ?? null,
  attempts: mail.attempts,
  note: mail.note ?? null,
});

const daySeconds = 86_400;

/**
 * Queues a mail for one person again. Throws webinar_not_found, registration_not_found, mail_not_suitable, mail_switched_off,
 * mail_limit_reached.
 */
export async function sendAgain(
  tx: AccountWriter,
  { mailKind: kind, ...where }: z.output<typeof SendMailInput>,
  backlogMax: number,
): Promise<z.input<typeof MailOutput>> {
  const { attendee, webinar } = await findAttendee(tx, where);
  const { registration, session } = attendee;
  if (!acceptsEvents(webinar) || !isSuitable(kind, attendee, tx.now)) throw mailErrors.mail_not_suitable();
  const settings = (await loadSettings(tx, [webinar.id])).get(webinar.id)!;
  const minutes =
    kind === 'reminder' ? nextReminder(settings.reminders, session.startsAt, tx.now) : undefined;
  if (!settings.enabled || !textOf(settings, { kind, minutes })?.enabled)
    throw mailErrors.mail_switched_off();
  if (!(await maySendAgain(tx, { registrationId: registration.id, kind })))
    throw mailErrors.mail_limit_reached({ retryAfterSeconds: 3600 });
  const expiresAt = new Date(tx.now.getTime() + daySeconds * 1000);
  const draft = { ...recipientOf(registration), kind, expiresAt, ...(minutes !== undefined && { minutes }) };
  const [mailId] = queueMails(tx, [draft], { backlogMax });
  return {
    id: mailId!,
    registrationId: registration.id,
    sessionId: session.id,
    kind,
    minutesBefore: minutes ?? null,
    to: registration.email,
    status: 'queued',
    reason: null,
    queuedAt: idTime(mailId!).toISOString(),
    sentAt: null,
    sender: null,
    connectionId: null,
    attempts: 0,
    note: null,
  };
}

function isSuitable(kind: MailKind, { registration, session }: Attendee, now: Date): boolean {
  if (registration.status === 'cancelled' || session.status === 'cancelled') return false;
  const isOver = session.status === 'ended' || session.endsAt <= now;
  return kind === 'missed' || kind === 'thank_you' ? isOver : kind === 'confirmation' || !isOver;
}

/** The reminder whose time comes next; the last one if all are past. */
function nextReminder(
  reminders: readonly { minutesBefore: number; enabled: boolean }[],
  startsAt: Date,
  now: Date,
): number | undefined {
  const times = reminders.filter(({ enabled }) => enabled).map(({ minutesBefore }) => minutesBefore);
  const leftMinutes = (startsAt.getTime() - now.getTime()) / 60_000;
  return times.find((minutes) => minutes <= leftMinutes) ?? times.at(-1);
}
