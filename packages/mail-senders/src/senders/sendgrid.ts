// https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
import { type FieldText, keyField } from '@service/outbound-http';
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import { type Answer, defineHttpSender, readDomains, reasonOf, rest } from '../http-sender.ts';
import { dateOf, isRecent, parseReports, type Report, textOf, toMailEvent } from '../mail-event.ts';
import type { DomainSetup, Mailbox, MailEvent, ReportRequest, SendOutcome } from '../mail-sender.ts';

const hourMs = 60 * 60 * 1000;

const credential = z.object({
  key: keyField({
    label: 'API key',
    placeholder: 'SG....',
    help: 'SendGrid > Settings > API Keys. It needs "Mail Send"; with "Sender Authentication" (read) the state of your domains is shown too.',
  }),
  region: z
    .enum(['global', 'eu'])
    .default('global')
    .meta({
      label: 'Region',
      placeholder: 'global',
      help: '"eu" for a subuser that is pinned to the European Union.',
      isSecret: false,
    } satisfies FieldText),
});

const authorization = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

// SendGrid refuses an empty name.
const toEmail = ({ name, address }: Mailbox): object => ({ email: address, ...(name !== '' && { name }) });

export const sendgrid = defineHttpSender<z.infer<typeof credential>>({
  id: 'sendgrid',
  name: 'SendGrid',
  credential,
  limits: { perSecond: 50, open: 10 },
  idempotencyMs: undefined,
  domainSetup: sendgridDomain,
  baseUrl: ({ region }) => (region === 'eu' ? 'https://api.eu.sendgrid.com' : 'https://api.sendgrid.com'),

  buildRequest(mail, { key }) {
    const { calendar } = mail;
    return {
      path: '/v3/mail/send',
      method: 'POST',
      headers: authorization(key),
      body: {
        personalizations: [{ to: [{ email: mail.to }] }],
        from: toEmail(mail.from),
        ...(mail.replyTo && { reply_to: toEmail(mail.replyTo) }),
        subject: mail.subject,
        headers: mail.headers,
        content: [
          { type: 'text/plain', value: mail.text },
          ...(mail.html === undefined ? [] : [{ type: 'text/html', value: mail.html }]),
        ],
        ...(calendar && {
          attachments: [
            {
              filename: 'invite.ics',
              content: Buffer.from(calendar.content).toString('base64'),
              // SendGrid refuses a type with a semicolon, so the method is only in the content.
              type: 'text/calendar',
              disposition: 'attachment',
            },
          ],
        }),
        // Rewritten links and a pixel are for the owner to switch on, not for the account's default.
        tracking_settings: {
          click_tracking: { enable: false },
          open_tracking: { enable: false },
          subscription_tracking: { enable: false },
        },
      },
    };
  },

  readAnswer,

  async verify({ key }, call) {
    const get = (path: string): ReturnType<typeof call> =>
      call({ path, method: 'GET', headers: authorization(key) });
    const scopes = await get('/v3/scopes');
    if ('lost' in scopes) return { kind: 'unreachable', reason: scopes.lost };
    if (scopes.status === 401 || scopes.status === 403) return { kind: 'refused', reason: reasonOf(scopes) };
    if (scopes.status >= 300) return { kind: 'unreachable', reason: reasonOf(scopes) };
    const listed = scopes.json['scopes'];
    if (Array.isArray(listed) && !listed.includes('mail.send'))
      return { kind: 'refused', reason: 'This key may not send mails: it has no access to "Mail Send".' };
    const domains = await get('/v3/whitelabel/domains?limit=50');
    return {
      kind: 'accepted',
      account: undefined,
      domains: readDomains('lost' in domains ? [] : domains.json, ({ domain, valid }) => ({
        name: domain,
        isVerified: valid === true,
      })),
    };
  },

  events: {
    setup:
      'SendGrid > Settings > Mail Settings > Event Webhooks: Bounced, Dropped, Spam Reports and Unsubscribes, with Signed Event Webhook.',
    secret: z
      .string()
      .trim()
      .max(400)
      .refine(
        (text) => readKey(text) !== undefined,
        'This is not the verification key of a SendGrid webhook.',
      )
      .meta({
        label: 'Verification key',
        placeholder: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE...',
        help: 'SendGrid > Settings > Mail Settings > Event Webhooks > your webhook > Signature Verification. It is a public key.',
        isSecret: true,
      } satisfies FieldText),
    read: readSendGridReports,
  },
});

function readAnswer(answer: Answer): SendOutcome | undefined {
  const { status, json, headers } = answer;
  const reason = reasonOf(answer);
  if (status >= 200 && status < 300)
    return { kind: 'sent', providerMessageId: textOf(headers['x-message-id']) };
  const errors = Array.isArray(json['errors']) ? (json['errors'] as { field?: unknown }[]) : [];
  switch (status) {
    case 400:
      return {
        kind: errors.some(({ field }) => /^personalizations\.\d+\.to\b/.test(String(field)))
          ? 'recipient_refused'
          : 'mail_refused',
        reason,
      };
    case 401:
      return /maximum credits exceeded/i.test(reason) ? rest(answer, hourMs) : undefined;
    case 403:
      return /verified sender identity/i.test(reason) ? { kind: 'mail_refused', reason } : undefined;
    default:
      return undefined;
  }
}

/** ECDSA over timestamp and body: https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features */
function readSendGridReports(request: ReportRequest): MailEvent[] | undefined {
  const { headers, body, secret, now } = request;
  const signature = headers['x-twilio-email-event-webhook-signature'];
  const timestamp = headers['x-twilio-email-event-webhook-timestamp'];
  const key = readKey(secret);
  if (key === undefined || signature === undefined || timestamp === undefined || !isRecent(timestamp, now))
    return undefined;
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64'))) return undefined;
  return (parseReports(body) ?? []).flatMap((report) => readReport(report, request) ?? []);
}

/** The verification key of SendGrid's page: base64 of DER, without the lines of PEM. */
function readKey(secret: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec' ? key : undefined;
  } catch {
    return undefined;
  }
}

function readReport(report: Report, request: ReportRequest): MailEvent | undefined {
  const kind = kindOf(report);
  if (kind === undefined) return undefined;
  return toMailEvent(
    report,
    {
      kind,
      email: report['email'],
      // `X-Message-Id` of the answer, then the names of SendGrid's machines.
      providerMessageId: textOf(report['sg_message_id'])?.split('.')[0],
      eventId: report['sg_event_id'],
      at: dateOf(report['timestamp']),
      reason: report['reason'] ?? report['response'],
    },
    request,
  );
}

function kindOf({ event, type, reason }: Report): MailEvent['kind'] | undefined {
  switch (event) {
    case 'delivered':
      return 'delivered';
    case 'bounce':
      // `blocked` is a refusal of this mail, not of the address.
      return type === 'blocked' ? 'bounced_soft' : 'bounced_hard';
    case 'spamreport':
      return 'complained';
    case 'unsubscribe':
    case 'group_unsubscribe':
      return 'unsubscribed';
    case 'dropped':
      return droppedKindOf(String(reason));
    default:
      return undefined;
  }
}

/** SendGrid did not send the mail, because of an earlier event of this address. */
function droppedKindOf(reason: string): MailEvent['kind'] {
  if (/unsubscribed/i.test(reason)) return 'unsubscribed';
  if (/spam report/i.test(reason)) return 'complained';
  return /bounced|invalid/i.test(reason) ? 'bounced_hard' : 'bounced_soft';
}

/** https://www.twilio.com/docs/sendgrid/ui/account-and-settings/how-to-set-up-domain-authentication. The values contain a number of the account. */
export function sendgridDomain(domain: string): DomainSetup {
  return {
    name: 'SendGrid',
    page: 'SendGrid > Settings > Sender Authentication',
    records: [
      { subject: 'dkim', type: 'CNAME', host: `s1._domainkey.${domain}`, target: 'sendgrid.net' },
      { subject: 'dkim', type: 'CNAME', host: `s2._domainkey.${domain}`, target: 'sendgrid.net' },
      // em and a number.
      { subject: 'return_path', type: 'CNAME', host: undefined, target: 'sendgrid.net' },
    ],
  };
}
