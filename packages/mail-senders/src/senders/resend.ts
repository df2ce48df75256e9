// https://resend.com/docs/api-reference/emails/send-email, /errors, /rate-limit and /dashboard/emails/idempotency-keys
import { type FieldText, keyField } from '@service/outbound-http';
import { signingKeys, signStandard } from '@service/signing';
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type Answer, defineHttpSender, readDomains, reasonOf, rest } from '../http-sender.ts';
import { formatMailbox } from '../prepare-mail.ts';
import { dateOf, isRecent, parseReports, type Report, textOf, toMailEvent } from '../mail-event.ts';
import type { DomainSetup, MailEvent, ReportRequest, SendOutcome } from '../mail-sender.ts';

const hourMs = 60 * 60 * 1000;

const credential = z.object({
  key: keyField({
    label: 'API key',
    placeholder: 're_...',
    help: 'resend.com > API keys. "Sending access" is enough; with "Full access" the state of your domains is shown too.',
  }),
});

const authorization = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

export const resend = defineHttpSender<z.infer<typeof credential>>({
  id: 'resend',
  name: 'Resend',
  credential,
  limits: { perSecond: 5, open: 5 },
  idempotencyMs: 24 * hourMs,
  domainSetup: resendDomain,
  baseUrl: () => 'https://api.resend.com',

  buildRequest(mail, { key }) {
    const { calendar } = mail;
    return {
      path: '/emails',
      method: 'POST',
      headers: { ...authorization(key), 'idempotency-key': mail.idempotencyKey },
      body: {
        from: formatMailbox(mail.from),
        to: [mail.to],
        ...(mail.replyTo && { reply_to: formatMailbox(mail.replyTo) }),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        headers: mail.headers,
        ...(calendar && {
          attachments: [
            {
              filename: 'invite.ics',
              content: Buffer.from(calendar.content).toString('base64'),
              content_type: `text/calendar; charset=utf-8; method=${calendar.method}`,
            },
          ],
        }),
      },
    };
  },

  readAnswer,

  async verify({ key }, call) {
    const answer = await call({ path: '/domains', method: 'GET', headers: authorization(key) });
    if ('lost' in answer) return { kind: 'unreachable', reason: answer.lost };
    const { status, json } = answer;
    // A key with sending access only. Resend has recognised it.
    if (json['name'] === 'restricted_api_key') return { kind: 'accepted', account: undefined, domains: [] };
    if (status >= 200 && status < 300) {
      const domains = readDomains(json['data'], (item) => ({
        name: item['name'],
        isVerified: item['status'] === 'verified',
      }));
      return { kind: 'accepted', account: undefined, domains };
    }
    const isRefused = status === 401 || status === 403 || isInvalidKey(answer);
    return { kind: isRefused ? 'refused' : 'unreachable', reason: reasonOf(answer) };
  },

  events: {
    setup: 'Resend > Webhooks > Add webhook: email.bounced, email.complained and email.suppressed.',
    secret: z
      .string()
      .trim()
      .regex(
        /^whsec_[A-Za-z0-9+/]{32,128}={0,2}$/,
        'This is not a signing secret of Resend: it begins with whsec_.',
      )
      .meta({
        label: 'Signing secret',
        placeholder: 'whsec_...',
        help: 'Resend > Webhooks > your webhook > Signing secret.',
        isSecret: true,
      } satisfies FieldText),
    read: readResendReports,
  },
});

/** https://resend.com/docs/dashboard/domains/introduction and https://github.com/Domain-Connect/Templates, resend.com.mail.json */
export function resendDomain(domain: string): DomainSetup {
  return {
    name: 'Resend',
    page: 'Resend > Domains',
    records: [
      {
        subject: 'spf',
        type: 'TXT',
        host: `send.${domain}`,
        value: 'v=spf1 include:amazonses.com ~all',
        target: 'amazonses.com',
        isGuess: true,
      },
      { subject: 'dkim', type: 'TXT', host: `resend._domainkey.${domain}` },
      // The rest of the name is the region of the domain.
      { subject: 'return_path', type: 'MX', host: `send.${domain}`, target: 'amazonses.com', isGuess: true },
    ],
  };
}

const isInvalidKey = ({ json }: Answer): boolean => /api key is invalid/i.test(String(json['message']));

function readAnswer(answer: Answer): SendOutcome | undefined {
  const { status, json } = answer;
  const reason = reasonOf(answer);
  if (status >= 200 && status < 300) return { kind: 'sent', providerMessageId: textOf(json['id']) };
  if (isInvalidKey(answer)) return { kind: 'credential_refused', reason };
  switch (json['name']) {
    case 'daily_quota_exceeded':
    case 'monthly_quota_exceeded':
      return rest(answer, hourMs);
    case 'concurrent_idempotent_requests':
      return { kind: 'later', reason, retryAfterMs: 5000, restsLane: false, mayHaveArrived: true };
    case 'invalid_idempotent_request':
      // A mail with this key was taken before, with another content.
      return { kind: 'uncertain', reason };
    case 'validation_error':
      // 403: the domain of the sender is not verified, or the account may only write to itself.
      return { kind: /`to`/.test(reason) ? 'recipient_refused' : 'mail_refused', reason };
    default:
      return undefined;
  }
}

/** Standard Webhooks, signed by Svix: https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests */
function readResendReports(request: ReportRequest): MailEvent[] | undefined {
  const { headers, body, secret, now } = request;
  const id = headers['svix-id'];
  const timestamp = headers['svix-timestamp'];
  if (id === undefined || !isRecent(timestamp, now)) return undefined;
  const message = { id, timestampSeconds: Number(timestamp), body: body.toString() };
  const expected = Buffer.from(signStandard(signingKeys(secret).standard, message));
  // There are several signatures while a secret is replaced.
  const given = (headers['svix-signature'] ?? '').split(' ').map((text) => Buffer.from(text));
  const isEqual = (text: Buffer): boolean =>
    text.length === expected.length && timingSafeEqual(text, expected);
  if (!given.some(isEqual)) return undefined;
  return (parseReports(body) ?? []).flatMap((report) => readReport(report, request, id) ?? []);
}

function readReport(report: Report, request: ReportRequest, eventId: string): MailEvent | undefined {
  const data = (report['data'] ?? {}) as {
    email_id?: unknown;
    to?: unknown;
    bounce?: { type?: unknown; message?: unknown };
    suppressed?: { message?: unknown };
  };
  const kind = kindOf(report['type'], data.bounce?.type);
  if (kind === undefined) return undefined;
  return toMailEvent(
    report,
    {
      kind,
      // Our mails have one recipient.
      email: [data.to].flat()[0],
      providerMessageId: data.email_id,
      eventId,
      at: dateOf(report['created_at']),
      reason: data.bounce?.message ?? data.suppressed?.message,
    },
    request,
  );
}

function kindOf(type: unknown, bounceType: unknown): MailEvent['kind'] | undefined {
  switch (type) {
    case 'email.bounced':
      // Transient and Undetermined are not final. Without a type it is a bounce of before that field.
      return bounceType === undefined || bounceType === 'Permanent' ? 'bounced_hard' : 'bounced_soft';
    case 'email.suppressed':
      return 'bounced_hard';
    case 'email.complained':
      return 'complained';
    case 'email.delivered':
      return 'delivered';
    default:
      return undefined;
  }
}
