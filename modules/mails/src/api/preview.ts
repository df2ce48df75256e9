// The dashboard's preview of a mail, and a test that is sent to the member who asks.
import type { Connections } from '@service/connections';
import { createId, type AccountQueries, type AccountReader } from '@service/database';
import type { Mailer } from '@service/mail';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { textToHtml } from '../content/html.ts';
import type { MailText } from '../content/default-texts.ts';
import { purposeOf, type Purpose } from '../content/mail-kinds.ts';
import { withUnsubscribe } from '../content/rule-mail.ts';
import type { WebinarMails } from '../content/webinar-mails.ts';
import { fillWithSamples } from '../content/variables.ts';
import { mailErrors } from '../errors.ts';
import { composeMail, textOf, type ComposeParts } from '../send/compose.ts';
import type { PrepareParts } from '../send/prepare.ts';
import { routeOver, type Route } from '../send/route.ts';
import { findSettings } from '../settings-store.ts';
import { findAttendee } from './find-attendee.ts';
import type { MailPreview, PreviewMailInput, TestMailInput, TestMailOutput } from './schemas.ts';

export interface PreviewParts extends ComposeParts {
  connections: Pick<Connections, 'findMailConnection' | 'openMailConnection'>;
  mailer: Mailer | undefined;
  readWorkspaceNames: PrepareParts['readWorkspaceNames'];
}

type Which = z.output<typeof TestMailInput>;

const sendMaxMs = 15_000;

/** Throws webinar_not_found, registration_not_found, mail_switched_off for a reminder that does not exist. */
export async function previewMail(
  reader: AccountReader,
  { registrationId, ...which }: z.output<typeof PreviewMailInput>,
  parts: PreviewParts,
): Promise<z.input<typeof MailPreview>> {
  const { text, settings, purpose } = await requireText(reader, which);
  if (registrationId === undefined) return withSamples(text);
  const { attendee, webinar } = await findAttendee(reader, { webinarId: which.webinarId, registrationId });
  const workspaceName = await nameWorkspace(reader, parts);
  const mail = {
    id: createId(),
    kind: which.kind,
    purpose,
    toAddress: attendee.registration.email,
    data: {},
  };
  const route = { from: { name: '', address: 'sender@example.com' }, replyTo: null };
  const circumstances = { attendee, webinar, settings, workspaceName, route, now: reader.now };
  const { subject, text: body, html = '' } = composeMail(mail, text, circumstances, parts);
  return { subject, text: body, html };
}

function withSamples({ subject, text }: MailText): z.input<typeof MailPreview> {
  const filled = { subject: fillWithSamples(subject), text: fillWithSamples(text) };
  return { ...filled, html: textToHtml(filled) };
}

interface RequiredText {
  text: MailText;
  purpose: Purpose;
  settings: WebinarMails;
}

async function requireText(reader: AccountQueries, which: Which): Promise<RequiredText> {
  const { webinarId } = which;
  await findWebinar(reader, webinarId);
  const settings = await findSettings(reader, webinarId);
  if (which.kind === 'rule') {
    const { draft, purpose } = which;
    return { text: withUnsubscribe(draft, purpose), purpose, settings };
  }
  const { kind, minutesBefore, draft } = which;
  const text = textOf(settings, { kind, minutes: minutesBefore ?? settings.reminders[0]?.minutesBefore });
  if (!text) throw mailErrors.mail_switched_off();
  return { text: draft ?? text, purpose: purposeOf(kind), settings };
}

interface TestParts extends PreviewParts {
  to: string;
  /** Counts the test. Throws mail_test_limit_reached. */
  admit: (sender: Route['sender']) => Promise<void>;
}

/**
 * Sends a mail with sample values to a member, and answers with the outcome of the provider. Throws webinar_not_found,
 * mail_sender_missing, mail_test_limit_reached.
 */
export async function sendTest(
  reader: AccountQueries,
  which: Which,
  { to, admit, ...parts }: TestParts,
): Promise<z.input<typeof TestMailOutput>> {
  const { text, settings } = await requireText(reader, which);
  const route = routeOver(reader.accountId, await parts.connections.findMailConnection(reader), parts);
  if (!route) throw mailErrors.mail_sender_missing();
  await admit(route.sender);
  const { html, ...content } = withSamples(text);
  const id = createId();
  const workspaceName = await nameWorkspace(reader, parts);
  const outcome = await route.send(
    {
      messageId: `<${id}@${new URL(parts.baseUrl).hostname}>`,
      idempotencyKey: id,
      from: { name: settings.senderName ?? (route.from.name || workspaceName), address: route.from.address },
      to,
      ...content,
      html,
    },
    AbortSignal.timeout(sendMaxMs),
  );
  return { to, outcome: outcome.kind, reason: 'reason' in outcome ? outcome.reason : null };
}

const nameWorkspace = async (
  { query, accountId }: AccountQueries,
  { readWorkspaceNames }: Pick<PreviewParts, 'readWorkspaceNames'>,
): Promise<string> => (await readWorkspaceNames(query, [accountId])).get(accountId) ?? '';
