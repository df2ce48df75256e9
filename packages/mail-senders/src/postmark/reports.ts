// Not signed: the secret in our address proves them. https://postmarkapp.com/developer/webhooks/webhooks-overview
import { dateOf, parseReports, type Report, toMailEvent } from '../report.ts';
import type { MailEvent, ReportRequest } from '../sender.ts';

export const readPostmarkReports = (request: ReportRequest): MailEvent[] | undefined =>
  parseReports(request.body)?.flatMap((report) => readReport(report, request) ?? []);

function readReport(report: Report, request: ReportRequest): MailEvent | undefined {
  const kind = kindOf(report);
  if (kind === undefined) return undefined;
  const { RecordType, ID, DeliveredAt, BouncedAt, ChangedAt } = report;
  return toMailEvent(
    report,
    {
      kind,
      email: report['Email'] ?? report['Recipient'],
      providerMessageId: report['MessageID'],
      // Only bounces and complaints have an ID.
      eventId: ID === undefined ? undefined : `${String(RecordType)}-${String(ID)}`,
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
