// The API process: REST, tRPC, sign-in, docs and the dashboard on one port.
import { ConfigError, describeConfig, environment, publicBaseUrl, readConfig } from '@service/config';
import { createLog } from '@service/log';
import { onShutdown } from './on-shutdown.ts';
import { startApi } from './start-api.ts';

const schema = environment.pick({
  DATABASE_URL: true,
  PORT: true,
  BASE_URL: true,
  ENCRYPTION_KEY: true,
  ENCRYPTION_KEYS_OLD: true,
  WEBHOOK_ALLOWED_CIDRS: true,
  WEBHOOK_ALLOW_HTTP: true,
  WEBHOOK_RETRY_SCHEDULE_SECONDS: true,
  TRUSTED_PROXIES: true,
  LOG_LEVEL: true,
});

try {
  const config = readConfig(schema, process.env);
  const log = createLog('api', { level: config.LOG_LEVEL });
  log.info(describeConfig(config), 'Starting');
  const api = await startApi({
    port: config.PORT,
    databaseUrl: config.DATABASE_URL,
    baseUrl: publicBaseUrl(config),
    encryptionKey: config.ENCRYPTION_KEY,
    encryptionKeysOld: config.ENCRYPTION_KEYS_OLD,
    webhookAllowedCidrs: config.WEBHOOK_ALLOWED_CIDRS,
    webhookAllowHttp: config.WEBHOOK_ALLOW_HTTP,
    retryScheduleSeconds: config.WEBHOOK_RETRY_SCHEDULE_SECONDS,
    trustedProxies: config.TRUSTED_PROXIES,
    log,
  });
  log.info({ port: api.port }, 'Listening');
  onShutdown(log, () => api.close());
} catch (error) {
  console.error(describeStartFailure(error));
  process.exit(1);
}

function describeStartFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return `Port ${process.env.PORT ?? 3000} is in use. Set PORT.`;
  return `The API could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
