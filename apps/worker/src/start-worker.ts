import { setTimeout as delay } from 'node:timers/promises';
import { createEventSubscriber, refireBody } from '@service/automations';
import { serviceEntities } from '@service/composition';
import { openDatabase, readClock } from '@service/database';
import { createDeliveries, createDeliveryWorker, createWake, measureBacklog } from '@service/deliveries';
import { createJobs, startJobRunner } from '@service/jobs';
import { createOperatorCheck } from '@service/lifecycle';
import type { Log } from '@service/log';
import { createMailer } from '@service/mail';
import { createOutboundAgent, createOutboundPolicy, createResolver } from '@service/outbound-http';
import { createSecretBox } from '@service/secrets';
import { createAutomationTimers } from './automation-timers.ts';
import { createClockCheck } from './clock-check.ts';
import { deleteEndedSignInAttemptsHourly } from './delete-ended-sign-in-attempts.ts';
import { deleteExpiredAnswersHourly } from './delete-expired-answers.ts';
import { deleteExpiredSessionsHourly } from './delete-expired-sessions.ts';
import { keepSessionsAheadHourly } from './keep-sessions-ahead.ts';
import { maintainPartitions } from './maintain-partitions.ts';
import { createMetrics } from './metrics.ts';
import { createReadiness } from './readiness.ts';
import { createMailTask } from './send-mail.ts';
import { createSessionClock } from './session-clock.ts';
import { startStatusServer } from './status-server.ts';
import { notifyOwners } from './notify-owners.ts';
import { timedCron } from './timed-task.ts';

export { runMaintenance } from './maintain-partitions.ts';

export interface WorkerOptions {
  databaseUrl: string;
  encryptionKey: string;
  encryptionKeysOld: readonly string[];
  webhookTimeoutMs: number;
  retryScheduleSeconds: readonly number[];
  webhookAllowedCidrs: string[];
  webhookAllowHttp: boolean;
  /** Deliveries in flight at once. */
  concurrency: number;
  /** Of the status server. Undefined: 3001, or a free one when that is taken. */
  port: number | undefined;
  /** Addresses or names that the status server listens on; all interfaces by default. */
  hosts?: readonly string[] | undefined;
  /** The bearer token of `/metrics`. Undefined: only this machine reads them. */
  metricsToken?: string | undefined;
  /** Of calls, executions and deliveries. */
  retentionDays: number;
  /** Of what attendees did. Undefined: it is kept. */
  eventRetentionDays?: number | undefined;
  idempotencyWindowHours: number;
  /** How owners are told of trouble. Undefined: they are not. */
  mail?: MailOptions | undefined;
  /** How long ago the queues and the clocks may have been looked at while the worker counts as ready; 30 s. */
  progressMaxAgeMs?: number;
  log: Log;
}

interface MailOptions {
  /** `smtp://` or `smtps://`. */
  smtpUrl: string;
  /** An address, or `Name <address>`. */
  from: string;
  /** Where people open the dashboard, without a trailing slash. */
  dashboardUrl: string;
}

export interface RunningWorker {
  port: number;
  /** The addresses that the status server listens on. */
  addresses: readonly string[];
  /** Settles when the job runner has ended, asked or not. */
  ended: Promise<void>;
  /** Takes nothing new, finishes and records what is in flight (12 s at most), closes connections. */
  close(): Promise<void>;
}

const drainMaxMs = 12_000;

/** Starts everything a worker process does. Throws when the database cannot be reached or the port is taken. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { databaseUrl, log } = options;
  // Whatever was opened is closed again when a later step fails, and on stop, in reverse order.
  await using opened = new AsyncDisposableStack();
  const onConnectionError = (error: Error): void =>
    log.warn({ err: error }, 'A database connection was lost');
  const database = await openDatabase({
    url: databaseUrl,
    entities: serviceEntities,
    name: 'worker',
    onConnectionError,
  });
  opened.defer(() => database.close());

  const policy = createOutboundPolicy({
    allowedCidrs: options.webhookAllowedCidrs,
    allowHttp: options.webhookAllowHttp,
  });
  const agent = createOutboundAgent({ policy, resolver: createResolver() });
  opened.defer(() => agent.destroy());

  const metrics = createMetrics(log);
  const secretBox = createSecretBox(options.encryptionKey, options.encryptionKeysOld);
  const { retryScheduleSeconds } = options;
  const deliveries = createDeliveryWorker({
    database,
    secretBox,
    agent,
    refire: refireBody,
    retryScheduleSeconds,
    timeoutMs: options.webhookTimeoutMs,
    concurrency: options.concurrency,
    log,
    observer: metrics.observer,
  });
  const clocks = createClockCheck({
    readClock: () => readClock(database.pool),
    onSkipped: metrics.countSkippedRound,
    log,
  });
  metrics.observe({
    backlog: () => measureBacklog(database.pool),
    inFlight: deliveries.inFlight,
    clockAheadMs: clocks.aheadMs,
  });
  // What has not ended by then is cut off, and given back for another worker to send.
  opened.defer(async () => {
    await Promise.race([deliveries.stop(), delay(drainMaxMs, undefined, { ref: false })]);
    await agent.destroy();
    await deliveries.stop();
  });

  const wake = createWake(database.pool, log);
  opened.defer(() => wake.close());
  const outbox = createDeliveries({ secretBox, wake, refire: refireBody, retryScheduleSeconds });
  const subscriber = createEventSubscriber({ deliveries: outbox, database, log });
  opened.defer(() => subscriber.close());

  const jobs = createJobs(database.pool);
  const mailer = options.mail && createMailer({ ...options.mail, log });
  opened.defer(() => mailer?.close());

  const runner = await startJobRunner({
    pool: database.pool,
    tasks: [createMailTask({ mailer, jobs, readNow: async () => (await readClock(database.pool)).now })],
    crons: [
      maintainPartitions(database.pool, options),
      deleteExpiredSessionsHourly(database),
      deleteEndedSignInAttemptsHourly(database),
      keepSessionsAheadHourly(database),
      deleteExpiredAnswersHourly(database.pool, { windowHours: options.idempotencyWindowHours }),
      notifyOwners({ database, jobs, dashboardUrl: options.mail?.dashboardUrl }),
    ].map((task) => timedCron(clocks, task)),
    isClockAgreed: clocks.isAgreed,
    log,
  });
  opened.defer(() => runner.stop());

  const repeats = [
    createSessionClock({ database, subscriber, onCounted: metrics.countClock, clocks, log }),
    createAutomationTimers({ database, deliveries: outbox, clocks, log }),
  ];
  opened.defer(async () => void (await Promise.all(repeats.map((repeat) => repeat.stop()))));

  const readiness = createReadiness({
    database,
    deliveries,
    runner,
    repeats,
    clocks,
    webhookTimeoutMs: options.webhookTimeoutMs,
    progressMaxAgeMs: options.progressMaxAgeMs,
  });
  const status = await startStatusServer({
    port: options.port,
    hosts: options.hosts ?? [],
    checkOperator: createOperatorCheck(options.metricsToken),
    readiness,
    metrics,
  });
  opened.defer(() => status.close());
  deliveries.start();
  for (const repeat of repeats) repeat.start();

  const running = opened.move();
  return {
    port: status.port,
    addresses: status.addresses,
    ended: runner.ended,
    close: () => running.disposeAsync(),
  };
}
