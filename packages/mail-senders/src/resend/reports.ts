// Standard Webhooks, signed by Svix: https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests
import { signingKeys, signStandard } from '@service/signing';
import { timingSafeEqual } from 'node:crypto';
import { dateOf, isRecent, parseReports, type Report, toMailEvent } from '../report.ts';
import type { MailEvent, ReportRequest } from '../sender.ts';

export function readResendReports(request: ReportRequest): MailEvent[] | undefined {
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
