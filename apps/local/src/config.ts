import {
  areLoopbackHosts,
  environment,
  hostToCall,
  outlivesRetries,
  readConfig,
  retentionProblem,
  type Environment,
} from '@service/config';

export interface LocalConfig {
  port: number;
  /** Addresses or names to listen on; never empty. */
  hosts: readonly string[];
  baseUrl: string;
  dataDir: string;
  /** Unset: the built-in PostgreSQL. */
  databaseUrl: string | undefined;
  /** Unset: made once in the data folder. */
  encryptionKey: string | undefined;
  signUp: Environment['SIGN_UP'];
  /** As the children read it; empty: none. */
  webhookAllowedCidrs: string;
  /** As the children read it; empty: false. */
  webhookAllowHttp: string;
  hasMetricsToken: boolean;
  retentionDays: number;
  /** Undefined: attendee events are kept. */
  eventRetentionDays: number | undefined;
}

const loopbackCidrs = '127.0.0.0/8,::1/128';

// The children parse these again; a bad one is told here first, together with all the others.
const schema = environment
  .partial({ DATABASE_URL: true, ENCRYPTION_KEY: true })
  .refine(outlivesRetries, retentionProblem);

/** Reads what the local runner needs and checks what its children will read. Throws ConfigError with every problem. */
export function readLocalConfig(variables: Record<string, string | undefined>): LocalConfig {
  const config = readConfig(schema, variables);
  const hosts = config.HOST.length > 0 ? config.HOST : ['localhost'];
  return {
    port: config.PORT,
    hosts,
    baseUrl: config.BASE_URL ?? `http://${hostToShow(hosts)}:${config.PORT}`,
    dataDir: config.DATA_DIR,
    databaseUrl: config.DATABASE_URL,
    encryptionKey: config.ENCRYPTION_KEY,
    signUp: variables.SIGN_UP ? config.SIGN_UP : 'open',
    // Receivers under test run on this machine, so here webhooks may go where production refuses. But when other machines
    // reach the service, a webhook would let their users read what listens on loopback. An empty value counts: none.
    webhookAllowedCidrs: variables.WEBHOOK_ALLOWED_CIDRS ?? (areLoopbackHosts(hosts) ? loopbackCidrs : ''),
    webhookAllowHttp: variables.WEBHOOK_ALLOW_HTTP ?? 'true',
    hasMetricsToken: config.METRICS_TOKEN !== undefined,
    retentionDays: config.RETENTION_DAYS,
    eventRetentionDays: config.EVENT_RETENTION_DAYS,
  };
}

/** `localhost` wherever it works, since a session is bound to the name under which the dashboard is opened. */
function hostToShow(hosts: readonly string[]): string {
  const first = hosts.slice(0, 1);
  return areLoopbackHosts(first) || isEveryAddress(first[0]) ? 'localhost' : hostToCall(first);
}

const isEveryAddress = (host: string | undefined): boolean => host === '0.0.0.0' || host === '::';
