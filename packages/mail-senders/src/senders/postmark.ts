// https://postmarkapp.com/developer/api/email-api and /overview (error codes)
import { type FieldText, keyField } from '@service/outbound-http';
import { z } from 'zod';
import { type Answer, defineHttpSender, reasonOf, rest } from '../http-sender.ts';
import { formatMailbox } from '../prepare-mail.ts';
import { dateOf, parseReports, type Report, textOf, toMailEvent } from '../mail-event.ts';
import type { DomainSetup, MailEvent, ReportRequest, SendOutcome } from '../mail-sender.ts';

const hourMs = 60 * 60 * 1000;

const credential = z.object({
  token: keyField({
    label: 'Server API token',
    placeholder: '00000000-0000-0000-0000-000000000000',
    help: 'Postmark > your server > API Tokens. Not the account token.',
  }),
  stream: z
    .string()
    .trim()
    .regex(/^[\w-]{1,60}$/, 'This is not the ID of a message stream.')
    .default('outbound')
    .meta({
      label: 'Message stream',
      placeholder: 'outbound',
      help: 'The ID of the stream for these mails: "outbound" for confirmations and reminders, "broadcast" for marketing.',
      isSecret: false,
    } satisfies FieldText),
});

const authorization = (token: string): Record<string, string> => ({ 'x-postmark-server-token': token });

export const postmark = defineHttpSender<z.infer<typeof credential>>({
  id: 'postmark',
  name: 'Postmark',
  credential,
  limits: { perSecond: 20, open: 10 },
  idempotencyMs: undefined,
  domainSetup: postmarkDomain,
  baseUrl: () => 'https://api.postmarkapp.com',

  buildRequest(mail, { token, stream }) {
    const { calendar } = mail;
    // Without X-PM-KeepID Postmark replaces the Message-ID.
    const headers = Object.entries({ ...mail.headers, 'X-PM-KeepID': 'true' });
    return {
      path: '/email',
      method: 'POST',
      headers: authorization(token),
      body: {
        From: formatMailbox(mail.from),
        To: mail.to,
        ...(mail.replyTo && { ReplyTo: formatMailbox(mail.replyTo) }),
        Subject: mail.subject,
        TextBody: mail.text,
        HtmlBody: mail.html,
        MessageStream: stream,
        TrackOpens: false,
        TrackLinks: 'None',
        Headers: headers.map(([Name, Value]) => ({ Name, Value })),
        ...(calendar && {
          Attachments: [
            {
              Name: 'invite.ics',
              Content: Buffer.from(calendar.content).toString('base64'),
              ContentType: `text/calendar; charset=utf-8; method=${calendar.method}`,
            },
          ],
        }),
      },
    };
  },

  readAnswer,

  async verify({ token, stream }, call) {
    const get = (path: string): ReturnType<typeof call> =>
      call({ path, method: 'GET', headers: authorization(token) });
    const server = await get('/server');
    if ('lost' in server) return { kind: 'unreachable', reason: server.lost };
    if (server.status === 401 || server.json['ErrorCode'] === 10)
      return { kind: 'refused', reason: reasonOf(server) };
    if (server.status >= 300) return { kind: 'unreachable', reason: reasonOf(server) };
    const found = await get(`/message-streams/${stream}`);
    if (!('lost' in found) && (found.status === 404 || found.json['ErrorCode'] === 1226))
      return { kind: 'refused', reason: `This server has no message stream ${stream}.` };
    // The state of domains needs the token of the whole account.
    return { kind: 'accepted', account: textOf(server.json['Name']), domains: [] };
  },

  events: {
    setup:
      'Postmark > your server > your message stream > Webhooks > Add webhook: Bounce, Spam Complaint and Subscription Change.',
    read: readPostmarkReports,
  },
});

function readAnswer(answer: Answer): SendOutcome | undefined {
  const { status, json } = answer;
  const reason = reasonOf(answer);
  if (status >= 200 && status < 300 && !json['ErrorCode'])
    return { kind: 'sent', providerMessageId: textOf(json['MessageID']) };
  switch (json['ErrorCode']) {
    case 10: // bad or missing token
    case 413: // the account may not send
    case 1235: // no such message stream
      return { kind: 'credential_refused', reason };
    case 406: // inactive: bounced or complained before
      return { kind: 'recipient_refused', reason };
    case 300: // invalid request
      return { kind: /'To'/.test(reason) ? 'recipient_refused' : 'mail_refused', reason };
    case 100: // maintenance
    case 405: // no credits left
      return rest(answer, hourMs);
    case 429:
      return rest(answer);
    default:
      // 400 and 401: the sender is not confirmed. 412: a new account may only write to its own domain. And the rest of 422.
      return status === 422 ? { kind: 'mail_refused', reason } : undefined;
  }
}

/** Not signed: the secret in our address proves them. https://postmarkapp.com/developer/webhooks/webhooks-overview */
function readPostmarkReports(request: ReportRequest): MailEvent[] | undefined {
  return parseReports(request.body)?.flatMap((report) => readReport(report, request) ?? []);
}

function readReport(report: Report, request: ReportRequest): MailEvent | undefined {
  const kind = kindOf(report);
  if (kind === undefined) return undefined;
  const { RecordType, DeliveredAt, BouncedAt, ChangedAt } = report;
  const id = textOf(report['ID']);
  return toMailEvent(
    report,
    {
      kind,
      email: report['Email'] ?? report['Recipient'],
      providerMessageId: report['MessageID'],
      // Only bounces and complaints have an ID.
      eventId: id && `${textOf(RecordType)}-${id}`,
      at: dateOf(BouncedAt ?? DeliveredAt ?? ChangedAt),
      reason: report['Details'] || report['Description'],
    },
    request,
  );
}

function kindOf({
  RecordType,
  Type,
  SuppressSending,
  SuppressionReason,
}: Report): MailEvent['kind'] | undefined {
  switch (RecordType) {
    case 'Delivery':
      return 'delivered';
    case 'SpamComplaint':
      return 'complained';
    case 'SubscriptionChange':
      // Postmark also reports here that it suppresses an address after a bounce or complaint, which comes as an event of its own.
      return SuppressSending === true && SuppressionReason === 'ManualSuppression'
        ? 'unsubscribed'
        : undefined;
    case 'Bounce':
      return bounceKindOf(Type);
    default:
      return undefined;
  }
}

function bounceKindOf(type: unknown): MailEvent['kind'] | undefined {
  switch (type) {
    case 'HardBounce':
    case 'BadEmailAddress':
    case 'ManuallyDeactivated':
      return 'bounced_hard';
    case 'SpamComplaint':
    case 'SpamNotification':
      return 'complained';
    case 'Unsubscribe':
      return 'unsubscribed';
    // No bounces: a mail that was answered, and a delivery that goes on.
    case 'AutoResponder':
    case 'ChallengeVerification':
    case 'AddressChange':
    case 'Subscribe':
    case 'Transient':
      return undefined;
    default:
      return 'bounced_soft';
  }
}

/** https://postmarkapp.com/support/article/1090-resources-for-adding-dkim-and-return-path-records-to-dns. The selector of DKIM contains a date. */
export function postmarkDomain(domain: string): DomainSetup {
  return {
    name: 'Postmark',
    page: 'Postmark > Sender Signatures > your domain > DNS Settings',
    records: [
      { subject: 'dkim', type: 'TXT', host: undefined },
      {
        subject: 'return_path',
        type: 'CNAME',
        host: `pm-bounces.${domain}`,
        value: 'pm.mtasv.net',
        isGuess: true,
      },
    ],
  };
}
