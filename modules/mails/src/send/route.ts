// The way of a mail out of the service.

export interface OutgoingMail {
  /** With angle brackets: `<id@domain>`. The same for every attempt. */
  messageId: string;
  /** A UUID. The same for every attempt. */
  idempotencyKey: string;
  from: { name: string };
  replyTo?: string | undefined;
  to: string;
  subject: string;
  text: string;
  html: string;
  calendar?: { content: string; method: 'REQUEST' | 'CANCEL' } | undefined;
  unsubscribeUrl?: string | undefined;
}

export type SendOutcome =
  | { kind: 'sent'; providerMessageId: string | undefined }
  | { kind: 'later'; reason: string; retryAfterMs: number | undefined; restsLane: boolean }
  | { kind: 'recipient_refused'; reason: string }
  | { kind: 'credential_refused'; reason: string }
  | { kind: 'mail_refused'; reason: string }
  | { kind: 'uncertain'; reason: string };
