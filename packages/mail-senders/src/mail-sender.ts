import type { OpenSocket, OutboundAgent } from '@service/outbound-http';
import type { z } from 'zod';

/** A mail to one person. */
export interface OutgoingMail {
  /** With angle brackets: `<id@domain>`. The same for every attempt. */
  messageId: string;
  /** A UUID, the same for every attempt. Providers with idempotency get it. */
  idempotencyKey: string;
  from: Mailbox;
  replyTo?: Mailbox;
  to: string;
  subject: string;
  text: string;
  html?: string;
  calendar?: { content: string; method: 'REQUEST' | 'CANCEL' };
  /** For List-Unsubscribe and List-Unsubscribe-Post (RFC 8058). Only for marketing mails. */
  unsubscribeUrl?: string;
}

export interface Mailbox {
  /** May be empty. */
  name: string;
  address: string;
}

/** Reasons are one line of at most 300 characters without any secret of the credential. */
export type SendOutcome =
  | { kind: 'sent'; providerMessageId: string | undefined }
  /** The mail was not accepted and can be sent again: 429, 5xx, 421, 45x, no connection. */
  | Later
  /** Final for this mail and its person. `isSoftBounce`: another mail may arrive, for example when the mailbox is full. */
  | { kind: 'recipient_refused'; reason: string; isSoftBounce?: boolean }
  /** The key is invalid or may not send mails. */
  | { kind: 'credential_refused'; reason: string }
  /** Final for this mail: its sender's domain is not verified, or its content was refused. */
  | { kind: 'mail_refused'; reason: string }
  /** The answer was lost after the mail was handed over, and the provider cannot recognise a repeated mail. */
  | { kind: 'uncertain'; reason: string };

export interface Later {
  kind: 'later';
  reason: string;
  /** The wait that the provider asks for. */
  retryAfterMs: number | undefined;
  /** True when the provider takes no mail at all now. */
  restsLane: boolean;
  /**
   * True when the answer was lost and the provider recognises the idempotency key. The mail may be sent again only within
   * `idempotencyMs` of this attempt. Afterwards it is uncertain.
   */
  mayHaveArrived?: boolean;
  /** True when the refusal is about this recipient alone. If the mail is never taken, that is a soft bounce. */
  isSoftBounce?: boolean;
}

export type Verification =
  | { kind: 'accepted'; account: string | undefined; domains: readonly SenderDomain[] }
  | { kind: 'refused' | 'unreachable'; reason: string };

export interface SenderDomain {
  name: string;
  isVerified: boolean;
}

export interface DomainSetup {
  /** The company, as sentences name it. */
  name: string;
  /** The page of the provider that shows the records of a domain. */
  page: string;
  records: readonly SenderRecord[];
}

/** A DNS record of a From domain. Without one for SPF the provider has a return path of its own, where receivers check SPF. */
export interface SenderRecord {
  subject: 'spf' | 'dkim' | 'return_path';
  type: 'TXT' | 'CNAME' | 'MX';
  /** Undefined: the provider makes its name, so it cannot be looked up. */
  host: string | undefined;
  /** The whole value. Undefined: it differs between accounts, and the provider shows it. */
  value?: string;
  /** The domain that SPF includes, or the end of the name that a CNAME or MX points to. */
  target?: string;
  /** The usual name of the record. The account may have chosen another one. */
  isGuess?: boolean;
}

/** The report of a provider about a mail that was sent. */
export interface MailEvent {
  kind: 'bounced_hard' | 'bounced_soft' | 'complained' | 'unsubscribed' | 'delivered';
  email: string;
  /** The id of SendOutcome. */
  providerMessageId: string | undefined;
  /** The same for a report that is sent again. */
  eventId: string;
  at: Date;
  reason: string | undefined;
}

export interface SendContext {
  http: OutboundAgent;
  openSocket: OpenSocket;
  /** Replaces the address of the provider's API, for tests and compatible services. */
  baseUrl?: string;
  /** Ends a send or verification early. Each also has a limit of its own. */
  signal: AbortSignal;
  /** Certificate authorities trusted by SMTP instead of Node's, in PEM. For tests; `http` has its own. */
  ca?: string;
}

export interface ReportRequest {
  /** With names in lower case. */
  headers: Record<string, string | undefined>;
  body: Buffer;
  /** The secret of the provider, or the one in our address, which the caller has compared. */
  secret: string;
  now: Date;
}

/** A service that takes mails for one account. */
export interface MailSender<Credential = unknown> {
  id: 'smtp' | 'resend' | 'postmark' | 'sendgrid' | 'brevo';
  name: string;
  /** The fields of the form, each with a FieldText in its metadata. */
  credential: z.ZodType<Credential>;
  limits: { perSecond: number; open: number };
  /** For how long the provider remembers an idempotency key. Undefined: it has none. */
  idempotencyMs: number | undefined;
  /** The DNS records of a From domain, as far as the public pages of the provider name them. */
  domainSetup(domain: string, credential: Credential): DomainSetup;
  /** Makes a real call that changes nothing. */
  verify(credential: Credential, context: SendContext): Promise<Verification>;
  /** Sends a mail. Never rejects. */
  send(mail: OutgoingMail, credential: Credential, context: SendContext): Promise<SendOutcome>;
  /** Reports of bounces and complaints. Undefined: the provider sends none. */
  events?: {
    /** The page of the provider that takes our address, and the events to choose there. */
    setup: string;
    /** The provider's secret that proves reports, with a FieldText. Undefined: the secret in our address proves them. */
    secret?: z.ZodType<string>;
    /** Undefined for a request that is not proved. Throws for no request. */
    read(request: ReportRequest): MailEvent[] | undefined;
  };
  /** A warning about this credential for the owner, such as a date after which its provider refuses it. */
  note?(credential: Credential): string | undefined;
  /** The last four characters of the secret, which pages show. Empty for a short one, such as a password. */
  last4(credential: Credential): string;
}
