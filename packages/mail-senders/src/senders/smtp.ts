import { isThisMachine } from '@service/mail';
import { type FieldText, OpenSocketError, type OpenSocket } from '@service/outbound-http';
import { LRUCache } from 'lru-cache';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { callbackify } from 'node:util';
import { z } from 'zod';
import { defineSender } from '../define-sender.ts';
import type { PreparedMail } from '../prepare-mail.ts';
import type { SendContext } from '../mail-sender.ts';
import { smtpDomain } from './smtp-domain.ts';
import { outcomeOfSmtpError, type SmtpError } from './smtp-outcome.ts';

const credential = z.object({
  host: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9.:-]{1,253}$/, 'This is not the name of a mail server.')
    .meta({
      label: 'Server',
      placeholder: 'smtp.example.com',
      help: "Your mail provider's page calls it outgoing mail server or SMTP server.",
      isSecret: false,
    } satisfies FieldText),
  port: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .refine((port) => port !== 25, 'Port 25 is for mail between servers. Use 465 or 587.')
    .default(587)
    .meta({
      label: 'Port',
      placeholder: '587',
      help: '465 for TLS from the first byte, 587 or 2525 for STARTTLS.',
      isSecret: false,
    } satisfies FieldText),
  username: z
    .string()
    .max(320)
    .default('')
    .meta({
      label: 'User name',
      placeholder: 'you@example.com',
      help: 'Often your e-mail address.',
      isSecret: false,
    } satisfies FieldText),
  password: z
    .string()
    .max(1000)
    .default('')
    .meta({
      label: 'Password',
      placeholder: '',
      help: 'With Gmail and other providers an app password, not that of your account.',
      isSecret: true,
    } satisfies FieldText),
  security: z
    .enum(['tls', 'starttls'])
    .optional()
    .meta({
      label: 'Encryption',
      placeholder: 'starttls',
      help: 'Only for an unusual port: "tls" from the first byte, "starttls" after the greeting.',
      isSecret: false,
    } satisfies FieldText),
});

export type SmtpCredential = z.infer<typeof credential>;

/** To one server with one credential. */
const connectionsMax = 2;
/** Servers close a silent connection later than this. */
const idleMs = 5000;
const poolsMax = 500;
const stepLimitMs = 8000;
const sendLimitMs = 15_000;
/** From the mail to its end, which nodemailer follows with the final dot. */
const dotDelayMs = 5;
const microsoft365 = /(^|\.)(office365\.(com|us)|outlook\.com|partner\.outlook\.cn|office\.com)$/;

/** Any mail server with SMTP, over a few connections that stay open for the next mail. */
export const smtp = defineSender<SmtpCredential>({
  id: 'smtp',
  name: 'SMTP',
  credential,
  limits: { perSecond: 10, open: connectionsMax },
  idempotencyMs: undefined,
  domainSetup: (domain, { host }) => smtpDomain(domain, host),

  async send(mail, given, context) {
    let isHandedOver = false;
    // AbortSignal.timeout would make an error with a stack for each mail, also for those that were sent long before.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), sendLimitMs);
    try {
      const { response } = await poolFor(given, context).sendMail({
        ...toMessage(mail),
        signal: AbortSignal.any([context.signal, limit.signal]),
        onHandedOver: () => (isHandedOver = true),
      });
      return { kind: 'sent', providerMessageId: readQueueId(response) };
    } catch (error) {
      return outcomeOfSmtpError(error as SmtpError, isHandedOver);
    } finally {
      clearTimeout(timer);
    }
  },

  async verify(given, context) {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(sendLimitMs)]);
    const transport = createTransport(connectionOptions(given, context, signal));
    try {
      await unlessAborted(transport.verify(), signal);
      return { kind: 'accepted', account: given.username || undefined, domains: [] };
    } catch (error) {
      const outcome = outcomeOfSmtpError(error as SmtpError, false);
      const reason = 'reason' in outcome ? outcome.reason : '';
      return { kind: outcome.kind === 'credential_refused' ? 'refused' : 'unreachable', reason };
    } finally {
      transport.close();
    }
  },

  note: ({ host }) =>
    microsoft365.test(host)
      ? 'Microsoft 365 switches sign-in with a password off by default at the end of December 2026 (error 550 5.7.30). An administrator can switch it on again for a while. A provider with an API key keeps working.'
      : undefined,
});

/** The name of the mail in the log of the server, from replies such as `250 2.0.0 Ok: queued as 4B2C`. */
const readQueueId = (response: string): string | undefined =>
  /queued as <?([\w.@+-]{1,200})/i.exec(response)?.[1] ?? /<([^<>\s]{1,200})>/.exec(response)?.[1];

interface Message extends SendMailOptions {
  /**
   * Called before the final dot, which follows once the socket has taken the mail: at once if the mail fits into the buffers of the
   * socket. When the connection to a slow server breaks within a larger mail, that mail counts as handed over too.
   */
  onHandedOver(): void;
}

interface Pool {
  sendMail(message: Message): Promise<{ response: string }>;
  close(): void;
}

/** By the dialler, so that connections are shared only under the same outbound rules. */
const poolsByDialler = new WeakMap<OpenSocket, LRUCache<string, Pool>>();

/** The connections of a credential. The pool sends a mail again by itself only if no byte of it was read. */
function poolFor(given: SmtpCredential, context: SendContext): Pool {
  const { openSocket, ca = '' } = context;
  const pools =
    poolsByDialler.get(openSocket) ??
    new LRUCache<string, Pool>({ max: poolsMax, dispose: (pool) => pool.close() });
  poolsByDialler.set(openSocket, pools);
  const name = createHash('sha256')
    .update(JSON.stringify([given, ca]))
    .digest('base64');
  const known = pools.get(name);
  if (known) return known;
  const transport = createTransport({
    ...connectionOptions(given, context),
    pool: true,
    maxConnections: connectionsMax,
    maxRequeues: 1,
    idleTimeout: idleMs,
  });
  // Every failure is an outcome of its mail too.
  transport.on('error', () => undefined);
  transport.use('stream', ({ data, message }, done) => {
    message.processFunc((mail) => Readable.from(inOnePiece(mail, (data as Message).onHandedOver)));
    done();
  });
  pools.set(name, transport);
  return transport;
}

/**
 * Gives the whole mail as one piece. nodemailer makes about twenty pieces, and each would be written by a system call of its own. nodemailer
 * reads from here only after the server has asked for the mail. A server nearby that breaks the connection within the mail is noticed
 * in the pause before the final dot, so that the mail is certain not to have arrived.
 */
async function* inOnePiece(mail: Readable, onHandedOver: () => void): AsyncGenerator<Buffer> {
  yield Buffer.concat(await mail.toArray());
  await sleep(dotDelayMs);
  onHandedOver();
}

/** A connection is dialled by the outbound rules and encrypted, except to this machine. */
function connectionOptions(given: SmtpCredential, context: SendContext, signal?: AbortSignal) {
  const { host, port, username, password, security } = given;
  const secure = security === undefined ? port === 465 : security === 'tls';

  const dial = async (): Promise<{ connection: Socket }> => {
    if (port === 25)
      throw new OpenSocketError('invalid_url', 'Port 25 is for mail between servers. Use 465 or 587.');
    const dialSignal = signal ?? AbortSignal.timeout(stepLimitMs);
    return { connection: await context.openSocket({ host, port, signal: dialSignal }) };
  };
  return {
    host,
    port,
    secure,
    requireTLS: !secure && !isThisMachine(host),
    auth: username === '' ? undefined : { user: username, pass: password },
    // Without it nodemailer sends the mail unauthenticated when the server offers no sign-in.
    forceAuth: username !== '',
    ...(context.ca !== undefined && { tls: { ca: context.ca } }),
    getSocket: (
      _options: unknown,
      callback: (error: Error | null, socket: { connection: Socket }) => void,
    ): void => callbackify(dial)(callback),
    connectionTimeout: stepLimitMs,
    greetingTimeout: stepLimitMs,
    socketTimeout: stepLimitMs,
    dnsTimeout: stepLimitMs,
    socketCloseTimeout: 1000,
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** nodemailer has no signal here. The connection ends by its own limits: destroying it below TLS can crash Node 24. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function toMessage(mail: PreparedMail): SendMailOptions {
  const { from, replyTo, to, subject, text, html, calendar } = mail;
  const { 'Message-ID': messageId, ...headers } = mail.headers;
  return {
    from,
    ...(replyTo && { replyTo }),
    to: { name: '', address: to },
    subject,
    text,
    ...(html !== undefined && { html }),
    ...(calendar && { icalEvent: { ...calendar, filename: 'invite.ics' } }),
    messageId,
    headers,
  };
}
