// A worker process: sends and retries webhooks, starts and ends sessions, fires timers, and maintains tables. Any number may run.
import {
  databaseOptions,
  deliveryQuota,
  environment,
  hasSender,
  loadLocalEnvFile,
  mailProblem,
  mailSettings,
  outlivesRetries,
  publicBaseUrl,
  retentionProblem,
} from '@service/config';
import { runProcess } from '@service/lifecycle';
import { startWorker } from './start-worker.ts';

loadLocalEnvFile();
await runProcess({
  name: 'worker',
  schema: environment
    .pick({
      DATABASE_URL: true,
      DATABASE_SESSION_URL: true,
      DATABASE_POOL_SIZE: true,
      PORT: true,
      HOST: true,
      BASE_URL: true,
      ENCRYPTION_KEY: true,
      ENCRYPTION_KEYS_OLD: true,
      WEBHOOK_TIMEOUT_MS: true,
      WEBHOOK_RETRY_SCHEDULE_SECONDS: true,
      DELIVERY_BACKLOG_MAX: true,
      DELIVERY_STORAGE_MAX_MB: true,
      MAIL_BACKLOG_MAX: true,
      WEBHOOK_ALLOWED_CIDRS: true,
      WEBHOOK_ALLOW_HTTP: true,
      WORKER_CONCURRENCY: true,
      WORKER_PORT: true,
      METRICS_TOKEN: true,
      RETENTION_DAYS: true,
      BODY_RETENTION_DAYS: true,
      EVENT_RETENTION_DAYS: true,
      IDEMPOTENCY_WINDOW_HOURS: true,
      SMTP_URL: true,
      MAIL_FROM: true,
      LOCAL_MAILBOX: true,
      OTEL_EXPORTER_OTLP_ENDPOINT: true,
      LOG_LEVEL: true,
    })
    .refine(hasSender, mailProblem)
    .refine(outlivesRetries, retentionProblem),
  variables: process.env,
  async start(config, log) {
    const worker = await startWorker({
      ...databaseOptions(config),
      encryptionKey: config.ENCRYPTION_KEY,
      encryptionKeysOld: config.ENCRYPTION_KEYS_OLD,
      webhookTimeoutMs: config.WEBHOOK_TIMEOUT_MS,
      retryScheduleSeconds: config.WEBHOOK_RETRY_SCHEDULE_SECONDS,
      deliveryQuota: deliveryQuota(config),
      mailBacklogMax: config.MAIL_BACKLOG_MAX,
      webhookAllowedCidrs: config.WEBHOOK_ALLOWED_CIDRS,
      webhookAllowHttp: config.WEBHOOK_ALLOW_HTTP,
      concurrency: config.WORKER_CONCURRENCY,
      port: config.WORKER_PORT,
      hosts: config.HOST,
      metricsToken: config.METRICS_TOKEN,
      retentionDays: config.RETENTION_DAYS,
      bodyRetentionDays: config.BODY_RETENTION_DAYS,
      eventRetentionDays: config.EVENT_RETENTION_DAYS,
      idempotencyWindowHours: config.IDEMPOTENCY_WINDOW_HOURS,
      baseUrl: publicBaseUrl(config),
      mail: mailSettings(config, process.ppid),
      log,
    });
    log.info({ port: worker.port, addresses: worker.addresses }, 'Working');
    return worker;
  },
});
