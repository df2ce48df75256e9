import { isAddress, oneLine } from '@service/mail';
import type { Mailbox, OutgoingMail, SendOutcome } from './mail-sender.ts';

/** A mail without any character that could end a header, and within the limits. Only these reach the providers. */
export interface PreparedMail extends OutgoingMail {
  /** The headers that are the same at every provider. Names and values are ASCII. */
  headers: Record<string, string>;
}

const nameLengthMax = 100;
const subjectLengthMax = 500;
const bodyLengthMax = 500_000;
const urlLengthMax = 2000;
// Brevo takes nothing else.
const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Cleans names and the subject, and refuses a mail that must not be sent as it is. */
export function prepareMail(mail: OutgoingMail): PreparedMail | SendOutcome {
  const { from, replyTo, to, text, html, calendar, unsubscribeUrl } = mail;
  if (!isAddress(to)) return { kind: 'recipient_refused', reason: 'This is not an e-mail address.' };
  if (!isAddress(from.address)) return refuse('The address of the sender is not an e-mail address.');
  if (replyTo && !isAddress(replyTo.address))
    return refuse('The address for replies is not an e-mail address.');
  if (!/^<[\w.+-]{1,200}@[\w.-]{1,200}>$/.test(mail.messageId)) return refuse('The Message-ID is not valid.');
  if (!uuidPattern.test(mail.idempotencyKey)) return refuse('The idempotency key is not a UUID.');
  const bodies = [text, html ?? '', calendar?.content ?? ''];
  if (bodies.some((body) => body.length > bodyLengthMax))
    return refuse(`A part of the mail has more than ${bodyLengthMax} characters.`);
  const unsubscribe = unsubscribeUrl === undefined ? undefined : webAddress(unsubscribeUrl);
  if (unsubscribe === null) return refuse('The address to unsubscribe is not a web address.');
  return {
    ...mail,
    from: cleanMailbox(from),
    ...(replyTo && { replyTo: cleanMailbox(replyTo) }),
    subject: cleanText(mail.subject, subjectLengthMax),
    text: text.toWellFormed(),
    ...(html !== undefined && { html: html.toWellFormed() }),
    headers: {
      'Message-ID': mail.messageId,
      // RFC 3834: prevents automatic replies, such as out-of-office messages.
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** `"Acme, Inc" <hooks@example.com>`, for providers that take a mailbox as one text. */
export const formatMailbox = ({ name, address }: Mailbox): string =>
  name === '' ? address : `"${name}" <${address}>`;

// Providers put the name between quotes or brackets.
const cleanMailbox = ({ name, address }: Mailbox): Mailbox => ({
  name: cleanText(name.replaceAll(/["<>\\]/g, ' '), nameLengthMax),
  address,
});

const cleanText = (text: string, lengthMax: number): string =>
  oneLine(text.toWellFormed())
    .slice(0, lengthMax)
    // Half of a character whose other half was cut.
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();

function webAddress(text: string): string | null {
  const url = text.length > urlLengthMax ? null : URL.parse(text);
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  return isWeb ? url.href.replaceAll(/[<>]/g, encodeURIComponent) : null;
}

const refuse = (reason: string): SendOutcome => ({ kind: 'mail_refused', reason });
