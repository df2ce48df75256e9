// Not signed: the secret in our address proves them. https://developers.brevo.com/docs/transactional-webhooks
import { dateOf, parseReports, type Report, toMailEvent } from '../report.ts';
import type { MailEvent, ReportRequest } from '../sender.ts';

export const readBrevoReports = (request: ReportRequest): MailEvent[] | undefined =>
  parseReports(request.body)?.flatMap((report) => readReport(report, request) ?? []);

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
