// Every variable the product reads, once. A main.ts picks what its process needs: environment.pick({...}).
import { z } from 'zod';

const days = z.coerce.number().int().positive();

const boolean = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] });

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

/** Addresses or names to listen on; whether one exists on this machine shows when it is listened on. */
const hosts = commaList.pipe(
  z
    .array(z.string().regex(/^[\w.:%-]+$/, { error: 'a comma list of addresses or names, without ports' }))
    .max(16),
);

/** 11 tries over 75.6 h: the wait before each try. The example list of the Standard Webhooks specification. */
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

/** Without a path or a query: nothing else in it would count. In its canonical form, in which a log can hide the password. */
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

export const environment = z.object({
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'a postgres:// URL' })
    .describe('PostgreSQL 15+. Unset: npm start runs an embedded one.'),
  PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(3000)
    .describe('Where the API and the dashboard listen.'),
  HOST: hosts
    .prefault('')
    .describe(
      'Addresses or names that the API and the worker listen on, comma separated. Empty: all. npm start: localhost.',
    ),
  BASE_URL: z
    .url({ protocol: /^https?$/, error: 'an http(s) URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('The address people and API callers use. Default: http://localhost:PORT.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .describe('Where the embedded default keeps the database and its keys.'),
  ENCRYPTION_KEY: encryptionKey.describe(
    'Encrypts webhook secrets at rest: 32 bytes, base64. npm start makes one in DATA_DIR.',
  ),
  ENCRYPTION_KEYS_OLD: commaList
    .pipe(z.array(encryptionKey))
    .default([])
    .describe('Former encryption keys, comma separated, still accepted for reading.'),
  SIGN_UP: z
    .enum(['open', 'invited', 'closed'])
    .default('invited')
    .describe('Who may sign up: anyone, people with an invitation, or no one. npm start: open.'),
  API_RATE_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000_000)
    .default(600)
    .describe('Requests an account may make in a window, over REST and MCP together.'),
  API_RATE_WINDOW_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(60)
    .describe('Length of that window, aligned to the clock of the database.'),
  IDEMPOTENCY_WINDOW_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(720)
    .default(24)
    .describe('How long the answer to a write with an Idempotency-Key is given again.'),
  WEBHOOK_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(60_000)
    .default(10_000)
    .describe('One deadline for a whole delivery attempt.'),
  WEBHOOK_RETRY_SCHEDULE_SECONDS: retrySchedule
    .prefault(defaultRetrySchedule)
    .describe('The wait before each try; its length is the number of tries.'),
  WEBHOOK_ALLOWED_CIDRS: commaList
    .prefault('')
    .describe('Private ranges webhooks may reach, comma separated. npm start allows loopback.'),
  WEBHOOK_ALLOW_HTTP: boolean.default(false).describe('Whether webhook URLs may be http. npm start: true.'),
  WORKER_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(128)
    .describe('Deliveries in flight per worker process.'),
  WORKER_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Where a worker serves /healthz, /readyz and /metrics. Default: 3001, or a free port if that is taken.',
    ),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, { error: '16 to 256 visible ASCII characters' })
    .optional()
    .describe('The bearer token of /metrics. Unset: only this machine reads /metrics.'),
  RETENTION_DAYS: days
    .max(3650)
    .default(90)
    .describe('How long API activity, executions and delivery history are kept; longer than retries take.'),
  EVENT_RETENTION_DAYS: days
    .max(36_500)
    .optional()
    .describe('How long attendee events are kept: timelines, answers, clicks, chat. Unset: for ever.'),
  TRUSTED_PROXIES: commaList
    .prefault('')
    .describe('Proxies whose X-Forwarded-For is believed: addresses or CIDRs, comma separated.'),
  CORS_ALLOWED_ORIGINS: commaList
    .pipe(z.array(origin))
    .prefault('')
    .describe('Origins whose pages may call /api/v1 from a browser, comma separated. Empty: none.'),
  SMTP_URL: smtpUrl
    .optional()
    .describe('The mail server that tells owners of trouble: smtp:// or smtps://. Unset: no mail is sent.'),
  MAIL_FROM: sender
    .optional()
    .describe('Who mails come from: an address, or Name <address>. Needed with SMTP_URL.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least severe level that is logged.'),
});

/** The address people and API callers use, without a trailing slash. */
export function publicBaseUrl(config: Pick<Environment, 'BASE_URL' | 'PORT'>): string {
  return config.BASE_URL ?? `http://localhost:${config.PORT}`;
}

export type Environment = z.infer<typeof environment>;
