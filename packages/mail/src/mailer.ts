import { createTransport } from 'nodemailer';
import { isAddress, oneLine, parseSender } from './sender-address.ts';
import { MailError } from './mail-error.ts';
import { smtpOptions } from './smtp-options.ts';

export interface Mail {
  /** One plain address. */
  to: string;
  /** Line ends and control characters become spaces. */
  subject: string;
  /** Plain text. */
  text: string;
}

export interface Mailer {
  /**
   * Resolves when the server has accepted the mail. Throws MailError when the server refuses it or does not answer in time. The
   * server may have accepted it in that case, so a repeated mail can arrive twice. `signal` aborts the send.
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
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
    async send({ to, subject, text }, signal) {
      if (!isAddress(to)) throw new Error('A mail goes to one plain e-mail address.');
      const deadline = AbortSignal.timeout(deadlineMs);
      try {
        await transport.sendMail({
          from: sender,
          to: { name: '', address: to },
          subject: oneLine(subject),
          text,
          // RFC 3834: prevents automatic replies, such as out-of-office messages.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
        });
      } catch (error) {
        throw new MailError(error, smtp.auth);
      }
    },
    close: () => transport.close({ force: true }),
  };
}
