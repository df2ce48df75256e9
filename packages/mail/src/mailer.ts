import { createTransport } from 'nodemailer';
import { isAddress, oneLine, parseSender } from './address.ts';
import { MailError } from './mail-error.ts';
import { smtpOptions } from './smtp-options.ts';

export interface Mail {
  /** One plain address. */
  to: string;
  /** One line; line ends and control characters become spaces. */
  subject: string;
  /** Plain text. */
  text: string;
}

export interface Mailer {
  /**
   * Resolves once the server has taken the mail over. Throws MailError when it refuses it or cannot be reached in time; the
   * server may have taken it all the same, so a mail that is sent again can arrive twice. `signal` gives up sooner.
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
  /** Ends idle connections, and cuts off what is under way. */
  close(): void;
}

interface MailerOptions {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
  smtpUrl: string;
  /** An address, or `Name <address>`. */
  from: string;
  log: { warn(fields: { err: unknown }, message: string): void };
  /** For a whole send, signing in included. A server that drips its answers is cut off then. */
  deadlineMs?: number;
}

const connectionsMax = 2;
const stepTimeoutMs = 8000;

/** Sends mails over a few connections that are kept for a while. Throws when the URL or the sender cannot be read. */
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
          // RFC 3834: so that nobody's out-of-office answers it.
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
