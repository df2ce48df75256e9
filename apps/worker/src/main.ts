// A worker process: sends webhooks, retries them, and keeps the tables in order. Any number of them may run.
import { environment, loadLocalEnvFile } from '@service/config';
import { runProcess } from '@service/lifecycle';
import { startWorker } from './start-worker.ts';

loadLocalEnvFile();
await runProcess({
  name: 'worker',
  schema: environment.pick({
    DATABASE_URL: true,
    ENCRYPTION_KEY: true,
    ENCRYPTION_KEYS_OLD: true,
    WEBHOOK_TIMEOUT_MS: true,
    WEBHOOK_RETRY_SCHEDULE_SECONDS: true,
    WEBHOOK_ALLOWED_CIDRS: true,
    WEBHOOK_ALLOW_HTTP: true,
    WORKER_CONCURRENCY: true,
    WORKER_PORT: true,
    RETENTION_DAYS: true,
    IDEMPOTENCY_WINDOW_HOURS: true,
    LOG_LEVEL: true,
  }),
  variables: process.env,
  async start(config, log) {
    const worker = await startWorker({
      databaseUrl: config.DATABASE_URL,
      encryptionKey: config.ENCRYPTION_KEY,
      encryptionKeysOld: config.ENCRYPTION_KEYS_OLD,
      webhookTimeoutMs: config.WEBHOOK_TIMEOUT_MS,
      retryScheduleSeconds: config.WEBHOOK_RETRY_SCHEDULE_SECONDS,
      webhookAllowedCidrs: config.WEBHOOK_ALLOWED_CIDRS,
      webhookAllowHttp: config.WEBHOOK_ALLOW_HTTP,
      concurrency: config.WORKER_CONCURRENCY,
      port: config.WORKER_PORT,
      retentionDays: config.RETENTION_DAYS,
      idempotencyWindowHours: config.IDEMPOTENCY_WINDOW_HOURS,
      log,
    });
    log.info({ port: worker.port }, 'Working');
    return worker;
  },
});
