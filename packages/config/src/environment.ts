// All environment variables of the product. A main.ts picks the variables of its process: environment.pick({...}).
import { availableParallelism } from 'node:os';
import { z } from 'zod';

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

const days = z.coerce.number().int().positive();

const boolean = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] });

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

/** Addresses or names to listen on. An unknown one fails when the server starts to listen. */
const hosts = commaList.pipe(
  z
    .array(z.string().regex(/^[\w.:%-]+$/, { error: 'a comma list of addresses or names, without ports' }))
    .max(16),
);

/** The wait before each of 11 attempts over 75.6 h: the example of the Standard Webhooks specification. */
const defaultRetrySchedule = '0,5,30,300,1800,7200,18000,36000,50400,72000,86400';

const retrySchedule = commaList.pipe(
  z
    .array(z.string().transform(Number).pipe(z.number().int().min(0).max(604_800)), {
      error: 'a comma list of whole seconds',
    })
    .min(1)
    .max(50),
);

const encryptionKey = z.string().refine((text) => Buffer.from(text, 'base64').length === 32, {
  error: '32 bytes in base64, for example from: openssl rand -base64 32',
});

const origin = z
  .string()
  .refine((text) => /^https?:\/\/[^/?#@]+\/?$/i.test(text) && URL.canParse(text), {
    error: 'a comma list of origins such as https://app.example.com',
  })
  .transform((text) => new URL(text).origin);

/** A path or a query would have no effect, so they are refused. The URL is normalised, so that a log can hide the password. */
const smtpUrl = z
  .string()
  .refine(isSmtpUrl, {
    error:
      'an smtp:// or smtps:// URL such as smtp://user:password@mail.example.com:587, the password URL-encoded',
  })
  .transform((text) => new URL(text).href);

function isSmtpUrl(text: string): boolean {
  try {
    const { protocol, hostname, pathname, search, hash, password } = new URL(text);
    decodeURIComponent(password);
    return /^smtps?:$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname) && search + hash === '';
  } catch {
    return false;
  }
}

const sender = z.string().refine(
  (text) => {
    const [, address = text] = /^[^<>\p{Cc}]*<([^<>]*)>$/u.exec(text) ?? [];
    return z.email({ pattern: z.regexes.html5Email }).safeParse(address).success;
  },
  { error: 'an e-mail address, or Name <address>' },
);

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'a postgres:// URL' });

/**
 * The default of DATABASE_POOL_SIZE. A process uses one core for itself. On a machine with one, it cannot keep ten connections busy
 * beside Postgres or other processes.
 */
export const defaultPoolSize = (cores: number): number => Math.min(10, 2 + 4 * cores);

export const environment = z.object({
  DATABASE_URL: databaseUrl.describe(
    'PostgreSQL 15 or later, or PgBouncer 1.21 or later before it. Unset: npm start runs an embedded one.',
  ),
  DATABASE_SESSION_URL: databaseUrl
    .optional()
    .describe(
      'A direct connection to the same database. Required when DATABASE_URL is that of a pooler in transaction mode. Default: DATABASE_URL.',
    ),
  DATABASE_REPLICA_URL: databaseUrl
    .optional()
    .describe(
      'A replica for reads of the API that may be late: Activity, histories, reports and exports. Unset: none.',
    ),
  DATABASE_REPLICA_LAG_MAX_SECONDS: whole(1, 3600)
    .default(10)
    .describe('While the replica is further behind, these reads go to the primary.'),
  DATABASE_POOL_SIZE: whole(3, 1000)
    .default(() => defaultPoolSize(availableParallelism()))
    .describe(
      'Statements and transactions of accounts that each process runs at once. Default: 10, or 6 on a machine with one core.',
    ),
  PORT: whole(1, 65_535).default(3000).describe('The port of the API and the dashboard.'),
  HOST: hosts
    .prefault('')
    .describe(
      'Addresses or names that the API and the worker listen on, comma separated. Empty: all. npm start: localhost.',
    ),
  BASE_URL: z
    .url({ protocol: /^https?$/, error: 'an http(s) URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'The public URL of the service. The dashboard works only at this address. Default: http://localhost:PORT.',
    ),
  DATA_DIR: z.string().min(1).default('.data').describe('The folder of the embedded database and its keys.'),
  ENCRYPTION_KEY: encryptionKey.describe(
    'Encrypts secrets at rest: 32 bytes in base64. npm start creates one in DATA_DIR.',
  ),
  ENCRYPTION_KEYS_OLD: commaList
    .pipe(z.array(encryptionKey))
    .default([])
    .describe(
      'Former encryption keys, comma separated. They are used only to decrypt, until npm run admin -- reseal.',
    ),
  SIGN_UP: z
    .enum(['open', 'invited', 'closed'])
    .default('invited')
    .describe(
      'Allowed sign-ups: open (anyone), invited (people with an invitation) or closed. npm start: open.',
    ),
  API_RATE_LIMIT: whole(1, 1_000_000_000)
    .default(600)
    .describe('Requests that an account may make in a window, over REST and MCP together.'),
  API_RATE_WINDOW_SECONDS: whole(1, 86_400)
    .default(60)
    .describe('The length of the window. Windows are aligned to the clock of the database.'),
  IDEMPOTENCY_WINDOW_HOURS: whole(1, 720)
    .default(24)
    .describe('The answer to a write with an Idempotency-Key is kept for this time.'),
  WEBHOOK_TIMEOUT_MS: whole(100, 60_000)
    .default(10_000)
    .describe('The deadline of a delivery attempt, from its start to the end of the answer.'),
  WEBHOOK_RETRY_SCHEDULE_SECONDS: retrySchedule
    .prefault(defaultRetrySchedule)
    .describe('The wait before each attempt. The length of the list is the number of attempts.'),
  WEBHOOK_ALLOWED_CIDRS: commaList
    .prefault('')
    .describe(
      'Private address ranges that webhooks and e-mail providers may be in, comma separated. npm start allows loopback.',
    ),
  WEBHOOK_ALLOW_HTTP: boolean
    .default(false)
    .describe('Allows URLs of webhooks and e-mail providers with http. npm start: true.'),
  DELIVERY_BACKLOG_MAX: whole(1, 1_000_000_000)
    .default(1_000_000)
    .describe(
      'Deliveries of an account that may wait. Beyond that bulk calls, new rules and new subscriptions are refused.',
    ),
  DELIVERY_STORAGE_MAX_MB: whole(1, 1_000_000_000)
    .default(20_480)
    .describe('Megabytes that the stored deliveries of an account may take, with their bodies and attempts.'),
  MAIL_BACKLOG_MAX: whole(1, 1_000_000_000)
    .default(500_000)
    .describe(
      'E-mails of an account that may wait. Further ones end at once, with an outcome that the account sees.',
    ),
  WORKER_CONCURRENCY: whole(1, 10_000).default(128).describe('Deliveries in flight in each worker process.'),
  WORKER_PORT: whole(0, 65_535)
    .optional()
    .describe(
      'The port of /healthz, /readyz and /metrics of a worker. Default: 3001, or a free port if that is taken.',
    ),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, { error: '16 to 256 visible ASCII characters' })
    .optional()
    .describe('The bearer token of /metrics. Unset: only this machine can read /metrics.'),
  RETENTION_DAYS: days
    .max(3650)
    .default(90)
    .describe(
      'API activity, executions and delivery history are kept for this time. It must be longer than all retries.',
    ),
  BODY_RETENTION_DAYS: days
    .max(3650)
    .optional()
    .describe(
      'The bodies of deliveries are kept for this time, and those that wait until they are sent. Unset: as long as the deliveries.',
    ),
  EVENT_RETENTION_DAYS: days
    .max(36_500)
    .optional()
    .describe('Attendee events (timelines, answers, clicks, chat) are kept for this time. Unset: for ever.'),
  TRUSTED_PROXIES: commaList
    .prefault('')
    .describe(
      'Proxies whose X-Forwarded-For and X-Forwarded-Host are trusted: addresses or CIDRs, comma separated.',
    ),
  CORS_ALLOWED_ORIGINS: commaList
    .pipe(z.array(origin))
    .prefault('')
    .describe('Origins whose pages may call /api/v1 from a browser, comma separated. Empty: none.'),
  SMTP_URL: smtpUrl
    .optional()
    .describe(
      'The server for mails to members (links to reset a password, invitations), to owners, and to attendees of accounts without an e-mail provider: smtp:// or smtps://. Unset: none of them is sent.',
    ),
  MAIL_FROM: sender
    .optional()
    .describe('The sender of mails: an address, or Name <address>. Required with SMTP_URL.'),
  LOCAL_MAILBOX: whole(1, 4_194_304)
    .optional()
    .describe(
      'Set by npm start for its own processes: its process id, so that the value has an effect in no other process. Mails are stored and shown at /mail.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'an http(s) URL such as http://localhost:4318' })
    .refine((url) => !/[@?#]/.test(url), 'an http(s) URL without a user, a query and a fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'A collector of OpenTelemetry, which gets traces as OTLP over HTTP with JSON at /v1/traces. Unset: no traces.',
    ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('The least severe level that is logged.'),
});

/** The connections of a process. */
export const databaseOptions = (
  config: Pick<Environment, 'DATABASE_URL' | 'DATABASE_SESSION_URL' | 'DATABASE_POOL_SIZE'>,
) => ({
  databaseUrl: config.DATABASE_URL,
  databaseSessionUrl: config.DATABASE_SESSION_URL,
  connections: { poolSize: config.DATABASE_POOL_SIZE },
});

/** For zod's `refine`, with `sessionUrlProblem`: the built-in PostgreSQL has no pooler before it. */
export const hasPooler = ({
  DATABASE_URL,
  DATABASE_SESSION_URL,
}: {
  DATABASE_URL?: unknown;
  DATABASE_SESSION_URL?: unknown;
}): boolean => DATABASE_SESSION_URL === undefined || DATABASE_URL !== undefined;

export const sessionUrlProblem = {
  path: ['DATABASE_SESSION_URL'],
  error: 'needs DATABASE_URL beside it, the URL of the pooler',
  // Reported together with all other problems, not after them.
  when: () => true,
};

/** The public URL of the service, without a trailing slash. */
export function publicBaseUrl(config: Pick<Environment, 'BASE_URL' | 'PORT'>): string {
  return config.BASE_URL ?? `http://localhost:${config.PORT}`;
}

/** The limits of an account for its deliveries. */
export const deliveryQuota = (
  config: Pick<Environment, 'DELIVERY_BACKLOG_MAX' | 'DELIVERY_STORAGE_MAX_MB'>,
): { waitingMax: number; bytesMax: number } => ({
  waitingMax: config.DELIVERY_BACKLOG_MAX,
  bytesMax: config.DELIVERY_STORAGE_MAX_MB * 1024 * 1024,
});

/** For zod's `refine`, with `mailProblem`. */
export const hasSender = ({ SMTP_URL, MAIL_FROM }: { SMTP_URL?: unknown; MAIL_FROM?: unknown }): boolean =>
  SMTP_URL === undefined || MAIL_FROM !== undefined;

export const mailProblem = {
  path: ['SMTP_URL'],
  error: 'needs MAIL_FROM beside it, the address that mails come from',
  // Reported together with all other problems, not after them.
  when: () => true,
};

/**
 * The mail server of the installation, or the mailbox of the embedded default when `parentId` is the process that set LOCAL_MAILBOX.
 * Undefined: no mail is sent.
 */
export function mailSettings(
  { SMTP_URL: smtpUrl, MAIL_FROM: from, LOCAL_MAILBOX }: MailVariables,
  parentId: number,
): { smtpUrl: string; from: string } | 'mailbox' | undefined {
  if (smtpUrl !== undefined && from !== undefined) return { smtpUrl, from };
  return LOCAL_MAILBOX === parentId ? 'mailbox' : undefined;
}

type MailVariables = Pick<Environment, 'SMTP_URL' | 'MAIL_FROM' | 'LOCAL_MAILBOX'>;

export type Environment = z.infer<typeof environment>;
