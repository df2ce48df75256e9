import { createTransport } from 'nodemailer';

export interface Mail {
  /** One plain address. */
  to: string;
  /** Line ends and control characters become spaces. */
  subject: string;
  /** Plain text. */
  text: string;
  /** The same as `text`, for mail programs that show HTML. */
  html?: string | undefined;
  /** An iCalendar object (RFC 5545), which calendars add, change or remove by themselves. */
  calendar?: { content: string; method: 'REQUEST' | 'CANCEL' } | undefined;
  /** `<id@domain>`, the same for every attempt. A new one by default. */
  messageId?: string | undefined;
  /** The name of the sender instead of the configured one. Control characters become spaces. */
  fromName?: string | undefined;
  /** One plain address. */
  replyTo?: string | undefined;
  /** For List-Unsubscribe and List-Unsubscribe-Post (RFC 8058). */
  unsubscribeUrl?: string | undefined;
  /** The account that writes it. Undefined: the installation. No header has it. */
  accountId?: string | undefined;
}

export interface Mailer {
  /**
   * Resolves when the server has accepted the mail. Throws MailError when the server refuses it or does not answer in time. The
   * server may have accepted it in that case, so a repeated mail can arrive twice. `signal` aborts the send.
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
  /** The address that mails come from. */
  readonly address: string;
  /** Closes all connections, also those in use. */
  close(): void;
}

interface MailerOptions {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
  smtpUrl: string;
  /** An address, or `Name <address>`. */
  from: string;
  log: { warn(fields: { err: unknown }, message: string): void };
  /** The limit of a whole send with its sign-in. */
  deadlineMs?: number;
}

/** The name of the attachment with `calendar`. */
export const calendarFile = 'invite.ics';

const connectionsMax = 2;
const stepTimeoutMs = 8000;

/** Creates a mailer with a few open connections. Throws for an invalid URL or sender. */
export function createMailer({ smtpUrl, from, log, deadlineMs = 15_000 }: MailerOptions): Mailer {
  const smtp = smtpOptions(smtpUrl);
  const sender = parseSender(from);
  const transport = createTransport({
    ...smtp,
    pool: true,
    maxConnections: connectionsMax,
    maxRequeues: 1,
    idleTimeout: 30_000,
    dnsTimeout: stepTimeoutMs,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.on('error', (error) =>
    log.warn({ err: new MailError(error, smtp.auth) }, 'The mail server failed'),
  );

  return {
    address: sender.address,
    async send(
      { to, subject, calendar, fromName, replyTo, unsubscribeUrl, accountId: _accountId, ...content },
      signal,
    ) {
      requireAddress(to);
      if (replyTo !== undefined) requireAddress(replyTo);
      const deadline = AbortSignal.timeout(deadlineMs);
      try {
        await transport.sendMail({
          from: fromName === undefined ? sender : { ...sender, name: oneLine(fromName) },
          ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
          ...(unsubscribeUrl !== undefined && {
            list: { unsubscribe: { url: unsubscribeUrl, comment: '' } },
          }),
          to: { name: '', address: to },
          subject: oneLine(subject),
          ...content,
          ...(calendar && { icalEvent: { ...calendar, filename: calendarFile } }),
          // RFC 3834: prevents automatic replies, such as out-of-office messages.
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl !== undefined && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
          },
          signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
        });
      } catch (error) {
        throw new MailError(error, smtp.auth);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

interface SmtpFailure extends Error {
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
}

/**
 * A mail that was not sent. The message is that of the server or the network without the password: some servers repeat refused
 * lines.
 */
export class MailError extends Error {
  override name = 'MailError';
  /** The kind of failure, such as ECONNECTION, EAUTH, EENVELOPE or ABORT_ERR. */
  readonly code: string | undefined;
  /** The server's reply code (RFC 5321, 4.2), if it replied. */
  readonly replyCode: number | undefined;
  /** The server's reply without the password, if it replied. */
  readonly response: string | undefined;
  /** The SMTP command in progress. Undefined: not known, or none. */
  readonly command: string | undefined;

  // No `cause`: it would carry the original text.
  constructor(error: unknown, auth: SmtpOptions['auth']) {
    const { message, code, responseCode, response, command } = error as SmtpFailure;
    super(withoutPassword(message, auth));
    this.code = code;
    this.replyCode = responseCode;
    this.response = response === undefined ? undefined : withoutPassword(response, auth);
    this.command = command?.split(' ', 2).join(' ');
  }
}

export function withoutPassword(text: string, auth: SmtpOptions['auth']): string {
  if (!auth || auth.pass === '') return text;
  const { user, pass } = auth;
  // The forms of AUTH PLAIN and AUTH LOGIN (RFC 4616), and that of the URL.
  const forms = [
    pass,
    encodeURIComponent(pass),
    base64(`\u0000${user}\u0000${pass}`),
    base64(`${user}\u0000${user}\u0000${pass}`),
    base64(pass),
  ];
  return forms.reduce((result, form) => result.replaceAll(form, '***'), text);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** An e-mail address with the name to show beside it; the name may be empty. */
interface Sender {
  name: string;
  address: string;
}

// The addresses that browsers accept (https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address). They contain no
// spaces, commas, quotes or line ends, so one address cannot become two addresses or a header.
const addressPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** RFC 5321, 4.5.3.1.3. */
const addressLengthMax = 254;

export const isAddress = (text: string): boolean =>
  text.length <= addressLengthMax && addressPattern.test(text);

/** Throws unless the text is one plain e-mail address. */
export function requireAddress(text: string): void {
  if (!isAddress(text)) throw new Error('A mail goes to one plain e-mail address.');
}

/** Reads `ada@example.com` and `Ada <ada@example.com>`. Throws for other texts. */
export function parseSender(text: string): Sender {
  const [, name = '', address = text.trim()] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  if (!isAddress(address)) throw new Error('The sender of mails is not an e-mail address.');
  return { name: oneLine(name.replaceAll('"', '')), address };
}

/** The text with a space instead of line ends and other control characters. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

interface SmtpOptions {
  host: string;
  port: number | undefined;
  /** TLS from the first byte, not after STARTTLS. */
  secure: boolean;
  /** Refuses a connection without TLS. */
  requireTLS: boolean;
  auth: { user: string; pass: string } | undefined;
}

/**
 * Reads `smtp://user:password@host:port` or `smtps://...`. A path and a query are ignored, so they cannot disable anything. A
 * password is sent in clear only to this machine: any other server must offer TLS.
 */
export function smtpOptions(smtpUrl: string): SmtpOptions {
  const url = new URL(smtpUrl);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = url.protocol === 'smtps:';
  const auth =
    url.username === ''
      ? undefined
      : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  return {
    host,
    port: url.port === '' ? undefined : Number(url.port),
    secure,
    requireTLS: !secure && auth !== undefined && !isThisMachine(host),
    auth,
  };
}

export const isThisMachine = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host);
