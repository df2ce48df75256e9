import { environment, outlivesRetries, publicBaseUrl, readConfig, retentionProblem } from '@service/config';

export interface LocalConfig {
  port: number;
  baseUrl: string;
  dataDir: string;
  /** Unset: the built-in PostgreSQL. */
  databaseUrl: string | undefined;
  /** Unset: made once in the data folder. */
  encryptionKey: string | undefined;
  webhookAllowedCidrs: string;
  webhookAllowHttp: string;
  retentionDays: number;
  /** Undefined: attendee events are kept. */
  eventRetentionDays: number | undefined;
}

// The children parse these again; a bad one is told here first, together with all the others.
const schema = environment
  .partial({ DATABASE_URL: true, ENCRYPTION_KEY: true })
  .refine(outlivesRetries, retentionProblem);

/** Reads what the local runner needs and checks what its children will read. Throws ConfigError with every problem. */
export function readLocalConfig(variables: Record<string, string | undefined>): LocalConfig {
  const config = readConfig(schema, variables);
  return {
    port: config.PORT,
    baseUrl: publicBaseUrl(config),
    dataDir: config.DATA_DIR,
    databaseUrl: config.DATABASE_URL,
    encryptionKey: config.ENCRYPTION_KEY,
    // Receivers under test run on this machine, so here webhooks may go where production refuses.
    webhookAllowedCidrs: variables.WEBHOOK_ALLOWED_CIDRS || '127.0.0.0/8,::1/128',
    webhookAllowHttp: variables.WEBHOOK_ALLOW_HTTP || 'true',
    retentionDays: config.RETENTION_DAYS,
    eventRetentionDays: config.EVENT_RETENTION_DAYS,
  };
}
