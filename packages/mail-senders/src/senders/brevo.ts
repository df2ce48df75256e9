// https://developers.brevo.com/reference/sendtransacemail and /docs/heterogenous-versions-batch-emails (idempotency)
import { keyField } from '@service/outbound-http';
import { z } from 'zod';
import { type Answer, defineHttpSender, readDomains, reasonOf, rest } from '../http-sender.ts';
import { dateOf, parseReports, type Report, textOf, toMailEvent } from '../mail-event.ts';
import type {
  DomainSetup,
  Mailbox,
  MailEvent,
  ReportRequest,
  SenderRecord,
  SendOutcome,
} from '../mail-sender.ts';

const hourMs = 60 * 60 * 1000;

const credential = z.object({
  key: keyField({
    label: 'API key',
    placeholder: 'xkeysib-...',
    help: 'Brevo > SMTP & API > API Keys. If your account allows only listed IP addresses, add those of this service.',
  }),
});

const authorization = (key: string): Record<string, string> => ({ 'api-key': key });

// Brevo drops a name that contains both a letter beyond ASCII and a special character.
const toEmail = ({ name, address }: Mailbox): object => {
  const isAscii = /^[ -~]*$/.test(name);
  const shown = isAscii ? name : name.replaceAll(/[()<>@,;:\\".[\]\s]+/g, ' ').trim();
  return { email: address, ...(shown !== '' && { name: shown }) };
};

export const brevo = defineHttpSender<z.infer<typeof credential>>({
  id: 'brevo',
  name: 'Brevo',
  credential,
  limits: { perSecond: 50, open: 10 },
  idempotencyMs: 30 * 60 * 1000,
  domainSetup: brevoDomain,
  baseUrl: () => 'https://api.brevo.com',

  buildRequest(mail, { key }) {
    const { calendar } = mail;
    // Brevo sets the Message-ID itself: its `headers` are only for other headers.
    const { 'Message-ID': _ours, ...headers } = mail.headers;
    return {
      path: '/v3/smtp/email',
      method: 'POST',
      headers: authorization(key),
      body: {
        sender: toEmail(mail.from),
        to: [{ email: mail.to }],
        ...(mail.replyTo && { replyTo: toEmail(mail.replyTo) }),
        subject: mail.subject,
        textContent: mail.text,
        htmlContent: mail.html,
        headers: { ...headers, idempotencyKey: mail.idempotencyKey },
        ...(calendar && {
          // The type follows from the name.
          attachment: [{ name: 'invite.ics', content: Buffer.from(calendar.content).toString('base64') }],
        }),
      },
    };
  },

  readAnswer,

  async verify({ key }, call) {
    const get = (path: string): ReturnType<typeof call> =>
      call({ path, method: 'GET', headers: authorization(key) });
    const account = await get('/v3/account');
    if ('lost' in account) return { kind: 'unreachable', reason: account.lost };
    if (account.status === 401 || account.status === 403)
      return { kind: 'refused', reason: reasonOf(account) };
    if (account.status >= 300) return { kind: 'unreachable', reason: reasonOf(account) };
    const listed = await get('/v3/senders/domains');
    return {
      kind: 'accepted',
      account: textOf(account.json['email']),
      domains: readDomains('lost' in listed ? [] : listed.json['domains'], (item) => ({
        name: item['domain_name'],
        isVerified: item['authenticated'] === true,
      })),
    };
  },

  events: {
    setup:
      'Brevo > Transactional > Settings > Webhook > Add a new webhook: hard bounced, soft bounced, complained, blocked, invalid e-mail and unsubscribed.',
    read: readBrevoReports,
  },
});

// Brevo does not document this answer. An idempotency key of a wrong form must not match.
const repeated = /duplicate.*(request|idempoten)|idempoten.*(already|duplicate)/i;

function readAnswer(answer: Answer): SendOutcome | undefined {
  const { status, json } = answer;
  const reason = reasonOf(answer);
  if (status >= 200 && status < 300) return { kind: 'sent', providerMessageId: textOf(json['messageId']) };
  // A mail with this key was taken within the last 30 minutes.
  if (status < 500 && repeated.test(`${String(json['code'])} ${reason}`))
    return { kind: 'sent', providerMessageId: undefined };
  if (status === 402 || json['code'] === 'not_enough_credits') return rest(answer, hourMs);
  if (status === 400 && /\bto\b|recipient/i.test(reason) && /email/i.test(reason) && !/sender/i.test(reason))
    return { kind: 'recipient_refused', reason };
  return undefined;
}

/** Not signed: the secret in our address proves them. https://developers.brevo.com/docs/transactional-webhooks */
function readBrevoReports(request: ReportRequest): MailEvent[] | undefined {
  return parseReports(request.body)?.flatMap((report) => readReport(report, request) ?? []);
}

const kinds: Record<string, MailEvent['kind']> = {
  delivered: 'delivered',
  hard_bounce: 'bounced_hard',
  invalid_email: 'bounced_hard',
  soft_bounce: 'bounced_soft',
  // Not sent, because of an earlier bounce or complaint, or the list of the account.
  blocked: 'bounced_soft',
  error: 'bounced_soft',
  spam: 'complained',
  complaint: 'complained',
  unsubscribe: 'unsubscribed',
  unsubscribed: 'unsubscribed',
};

function readReport(report: Report, request: ReportRequest): MailEvent | undefined {
  const name = String(report['event']);
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) return undefined;
  return toMailEvent(
    report,
    {
      kind,
      email: report['email'],
      providerMessageId: report['message-id'],
      // Brevo's `id` is that of the webhook.
      eventId: undefined,
      // The other times are in the time zone of the account.
      at: dateOf(report['ts_epoch'] ?? report['ts_event']),
      reason: report['reason'],
    },
    request,
  );
}

/** https://help.brevo.com/hc/en-us/articles/12163873383186 */
export function brevoDomain(domain: string): DomainSetup {
  const key = (number: number): SenderRecord => ({
    subject: 'dkim',
    type: 'CNAME',
    host: `brevo${number}._domainkey.${domain}`,
    value: `b${number}.${domain.replaceAll('.', '-')}.dkim.brevo.com`,
  });
  return {
    name: 'Brevo',
    page: 'Brevo > Settings > Senders, domains, IPs > Domains',
    records: [
      key(1),
      key(2),
      // Domains that were set up before the two CNAMEs.
      { subject: 'dkim', type: 'TXT', host: `mail._domainkey.${domain}`, isGuess: true },
    ],
  };
}
