// The API process: REST, tRPC, sign-in, docs and the dashboard on one port.
import {
  databaseOptions,
  deliveryQuota,
  environment,
  hasSender,
  loadLocalEnvFile,
  mailProblem,
  mailSettings,
  publicBaseUrl,
} from '@service/config';
import { runProcess } from '@service/lifecycle';
import { startApi } from './start-api.ts';

loadLocalEnvFile();
await runProcess({
  name: 'api',
  schema: environment
    .pick({
      DATABASE_URL: true,
      DATABASE_SESSION_URL: true,
      DATABASE_POOL_SIZE: true,
      DATABASE_REPLICA_URL: true,
      DATABASE_REPLICA_LAG_MAX_SECONDS: true,
      PORT: true,
      HOST: true,
      BASE_URL: true,
      ENCRYPTION_KEY: true,
      ENCRYPTION_KEYS_OLD: true,
      SIGN_UP: true,
      METRICS_TOKEN: true,
      API_RATE_LIMIT: true,
      API_RATE_WINDOW_SECONDS: true,
      IDEMPOTENCY_WINDOW_HOURS: true,
      WEBHOOK_ALLOWED_CIDRS: true,
      WEBHOOK_ALLOW_HTTP: true,
      WEBHOOK_RETRY_SCHEDULE_SECONDS: true,
      DELIVERY_BACKLOG_MAX: true,
      DELIVERY_STORAGE_MAX_MB: true,
      MAIL_BACKLOG_MAX: true,
      RETENTION_DAYS: true,
      BODY_RETENTION_DAYS: true,
      EVENT_RETENTION_DAYS: true,
      TRUSTED_PROXIES: true,
      CORS_ALLOWED_ORIGINS: true,
      SMTP_URL: true,
      MAIL_FROM: true,
      LOCAL_MAILBOX: true,
      OTEL_EXPORTER_OTLP_ENDPOINT: true,
      LOG_LEVEL: true,
    })
    .refine(hasSender, mailProblem),
  variables: process.env,
  async start(config, log) {
    const api = await startApi({
      port: config.PORT,
      hosts: config.HOST,
      metricsToken: config.METRICS_TOKEN,
      signUp: config.SIGN_UP,
      ...databaseOptions(config),
      replica: config.DATABASE_REPLICA_URL
        ? { url: config.DATABASE_REPLICA_URL, lagMaxMs: config.DATABASE_REPLICA_LAG_MAX_SECONDS * 1000 }
        : undefined,
      baseUrl: publicBaseUrl(config),
      encryptionKey: config.ENCRYPTION_KEY,
      encryptionKeysOld: config.ENCRYPTION_KEYS_OLD,
      rateLimit: { requests: config.API_RATE_LIMIT, windowSeconds: config.API_RATE_WINDOW_SECONDS },
      idempotencyWindowHours: config.IDEMPOTENCY_WINDOW_HOURS,
      webhookAllowedCidrs: config.WEBHOOK_ALLOWED_CIDRS,
      webhookAllowHttp: config.WEBHOOK_ALLOW_HTTP,
      retryScheduleSeconds: config.WEBHOOK_RETRY_SCHEDULE_SECONDS,
      deliveryQuota: deliveryQuota(config),
      mailBacklogMax: config.MAIL_BACKLOG_MAX,
      retentionDays: config.RETENTION_DAYS,
      bodyRetentionDays: config.BODY_RETENTION_DAYS,
      eventRetentionDays: config.EVENT_RETENTION_DAYS,
      trustedProxies: config.TRUSTED_PROXIES,
      corsAllowedOrigins: config.CORS_ALLOWED_ORIGINS,
      mail: mailSettings(config, process.ppid),
      log,
    });
    log.info(
      {
        port: api.port,
        addresses: api.addresses,
        signUp: config.SIGN_UP,
        webhookAllowedCidrs: config.WEBHOOK_ALLOWED_CIDRS,
        webhookAllowHttp: config.WEBHOOK_ALLOW_HTTP,
        metrics: config.METRICS_TOKEN === undefined ? 'this machine only' : 'with METRICS_TOKEN',
      },
      'Listening',
    );
    return api;
  },
});
