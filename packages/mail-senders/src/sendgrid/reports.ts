// ECDSA over timestamp and body: https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { dateOf, isRecent, parseReports, type Report, textOf, toMailEvent } from '../report.ts';
import type { MailEvent, ReportRequest } from '../sender.ts';

export function readSendGridReports(request: ReportRequest): MailEvent[] | undefined {
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
