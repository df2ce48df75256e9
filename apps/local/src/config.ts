import {
  areLoopbackHosts,
  environment,
  hasPooler,
  hasSender,
  hostToCall,
  mailProblem,
  outlivesRetries,
  readConfig,
  retentionProblem,
  sessionUrlProblem,
} from '@service/config';

export type LocalConfig = ReturnType<typeof readLocalConfig>;

const loopbackCidrs = '127.0.0.0/8,::1/128';

// The child processes parse these again. Here all problems are reported together.
const schema = environment
  .partial({ DATABASE_URL: true, ENCRYPTION_KEY: true })
  .refine(outlivesRetries, retentionProblem)
  .refine(hasSender, mailProblem)
  .refine(hasPooler, sessionUrlProblem);

/** Reads the variables of the local runner and checks those of its child processes. Throws ConfigError with all problems. */
export function readLocalConfig(variables: Record<string, string | undefined>) {
  const config = readConfig(schema, variables);
  const hosts = config.HOST.length > 0 ? config.HOST : ['localhost'];
  return {
    port: config.PORT,
    /** Addresses or names to listen on. Never empty. */
    hosts,
    baseUrl: config.BASE_URL ?? `http://${hostToShow(hosts)}:${config.PORT}`,
    dataDir: config.DATA_DIR,
    /** Unset: the built-in PostgreSQL. */
    databaseUrl: config.DATABASE_URL,
    /** For what needs a direct connection when `databaseUrl` is that of a pooler. */
    databaseSessionUrl: config.DATABASE_SESSION_URL,
    /** Unset: created once in the data folder. */
    encryptionKey: config.ENCRYPTION_KEY,
    signUp: variables.SIGN_UP ? config.SIGN_UP : 'open',
    // Test receivers run on this machine, so webhooks may reach loopback. But when other machines reach the service, their
    // users could read services on loopback through a webhook. An empty value means none.
    webhookAllowedCidrs: variables.WEBHOOK_ALLOWED_CIDRS ?? (areLoopbackHosts(hosts) ? loopbackCidrs : ''),
    webhookAllowHttp: variables.WEBHOOK_ALLOW_HTTP ?? 'true',
    /** Mails are stored and shown at /mail: with the built-in PostgreSQL, and without a mail server. */
    hasMailbox: config.SMTP_URL === undefined && config.DATABASE_URL === undefined,
    hasMetricsToken: config.METRICS_TOKEN !== undefined,
    retentionDays: config.RETENTION_DAYS,
    /** Undefined: attendee events are kept for ever. */
    eventRetentionDays: config.EVENT_RETENTION_DAYS,
  };
}

/** `localhost` when possible, because a sign-in session is bound to the host name of the dashboard. */
function hostToShow(hosts: readonly string[]): string {
  const first = hosts.slice(0, 1);
  return areLoopbackHosts(first) || isEveryAddress(first[0]) ? 'localhost' : hostToCall(first);
}

const isEveryAddress = (host: string | undefined): boolean => host === '0.0.0.0' || host === '::';
