import { setTimeout as delay } from 'node:timers/promises';
import { findMemberAddresses, findWorkspaceNames } from '@service/accounts';
import { findRuleMails, refireBody } from '@service/automations';
import {
  createLinks,
  createModuleJobs,
  createRepeats,
  openParts,
  type SharedOptions,
  type WorkerParts,
} from '@service/composition';
import { readClock } from '@service/database';
import { createDeliveryWorker, measureBacklog } from '@service/deliveries';
import { startJobRunner } from '@service/jobs';
import { createOperatorCheck, readDescriptorLimit, watchDescriptors } from '@service/lifecycle';
import { createContactWorker, measureContacts } from '@service/contacts';
import {
  createMailWorker,
  findSuppressed,
  measureMails,
  openMailer,
  type MailSettings,
} from '@service/mails';
import { createOutboundAgent, createOutboundPolicy, createResolver } from '@service/outbound-http';
import { readRegistrationRevenue } from '@service/revenue';
import { createClockCheck, timedCron } from './clock-check.ts';
import { maintainPartitions } from './maintain-partitions.ts';
import { createMetrics } from './metrics.ts';
import { notifyOfConnections } from './notify-of-connections.ts';
import { notifyOwners } from './notify-owners.ts';
import { createReadiness } from './readiness.ts';
import { createNamedRepeater } from './named-repeater.ts';
import { startStatusServer } from './status-server.ts';

export { runMaintenance } from './maintain-partitions.ts';

export interface WorkerOptions extends Omit<SharedOptions, 'name' | 'connections'> {
  webhookTimeoutMs: number;
  /** Deliveries in flight at once. */
  concurrency: number;
  /** The port of the status server. Undefined: 3001, or a free port when that is taken. */
  port: number | undefined;
  /** Addresses or names that the status server listens on; all interfaces by default. */
  hosts?: readonly string[] | undefined;
  /** The bearer token of `/metrics`. Undefined: only this machine reads them. */
  metricsToken?: string | undefined;
  /** Retention of calls, executions and deliveries. */
  retentionDays: number;
  /** Retention of attendees' events. Undefined: events are kept. */
  eventRetentionDays?: number | undefined;
  idempotencyWindowHours: number;
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
  /** Undefined: no mail is sent. */
  mail?: MailSettings | undefined;
  /** A worker is ready while the last progress of its queues and clocks is not older than this. 30 s by default. */
  progressMaxAgeMs?: number;
}

export interface RunningWorker {
  port: number;
  /** The addresses that the status server listens on. */
  addresses: readonly string[];
  /** Settles when the job runner has ended, for any reason, or when the descriptors are nearly used up. */
  ended: Promise<void>;
  /** Takes nothing new, finishes and records attempts in flight (12 s at most), closes connections. */
  close(): Promise<void>;
}

const drainMaxMs = 12_000;

/** An endpoint belongs to a rule or to a subscription, and their pages show its health. */
const changedTopics = { deliveries: ['deliveries'], endpoints: ['rules', 'webhooks'] } as const;

/** Starts all work of a worker process. Throws when the database cannot be reached or the port is taken. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { retryScheduleSeconds, idempotencyWindowHours, log } = options;
  // Everything that was opened is closed in reverse order, on stop and when a later step fails.
  await using opened = new AsyncDisposableStack();
  const { close: closeShared, ...shared } = await openParts({ ...options, name: 'worker' });
  opened.defer(closeShared);
  const { database, secretBox, jobs, changes } = shared;

  const policy = createOutboundPolicy({
    allowedCidrs: options.webhookAllowedCidrs,
    allowHttp: options.webhookAllowHttp,
  });
  const agent = createOutboundAgent({ policy, resolver: createResolver() });
  opened.defer(() => agent.destroy());

  const metrics = createMetrics(log);
  const deliveries = createDeliveryWorker({
    database,
    secretBox,
    agent,
    refire: refireBody,
    retryScheduleSeconds,
    quota: options.deliveryQuota,
    timeoutMs: options.webhookTimeoutMs,
    concurrency: options.concurrency,
    log,
    observer: metrics.observer,
    onChanged(accountId, what) {
      for (const topic of changedTopics[what]) changes.announce(accountId, topic);
    },
  });
  const clocks = createClockCheck({
    readClock: () => readClock(database.pool),
    onSkipped: metrics.countSkippedRound,
    log,
  });

  const mailer = openMailer(options.mail, { database, secretBox, log });
  opened.defer(() => mailer?.close());

  const mails = createMailWorker({
    database,
    connections: shared.connections,
    mailer,
    ...createLinks(options),
    baseUrl: options.baseUrl,
    readWorkspaceNames: findWorkspaceNames,
    readMemberAddresses: findMemberAddresses,
    readRuleMails: findRuleMails,
    onChanged: (accountId) => changes.announce(accountId, 'mails'),
    onOutcome: metrics.countMail,
    log,
  });
  const contacts = createContactWorker({
    database,
    marketing: shared.connections.marketing,
    readRevenue: readRegistrationRevenue,
    readSuppressed: findSuppressed,
    onChanged: (accountId) => changes.announce(accountId, 'connections'),
    onResult: metrics.countContact,
    log,
  });
  // Attempts that have not ended after this time are aborted and given back for other workers.
  const stopDeliveries = async (): Promise<void> => {
    await Promise.race([deliveries.stop(), delay(drainMaxMs, undefined, { ref: false })]);
    await agent.destroy();
    await deliveries.stop();
  };
  // At the same time: a slow tool must not keep deliveries and mails from being given back.
  opened.defer(async () => void (await Promise.all([stopDeliveries(), mails.stop(), contacts.stop()])));
  metrics.observe({
    backlog: () => measureBacklog(database.pool, options.deliveryQuota),
    mailBacklog: () => measureMails(database, shared.mailBacklogMax),
    inFlight: deliveries.inFlight,
    openMails: mails.openSends,
    contactBacklog: () => measureContacts(database),
    contactLanes: contacts.busyLanes,
    contactCalls: contacts.openCalls,
    clockAheadMs: clocks.aheadMs,
  });

  const { countSessionClock } = metrics;
  const { baseUrl } = options;
  const parts: WorkerParts = { ...shared, baseUrl, mailer, idempotencyWindowHours, countSessionClock };
  const { tasks, crons } = createModuleJobs(parts);
  const runner = await startJobRunner({
    pool: database.pool,
    tasks,
    crons: [
      maintainPartitions(database.pool, options),
      notifyOwners({ database, jobs, dashboardUrl: mailer && baseUrl }),
      notifyOfConnections({ database, jobs, dashboardUrl: mailer && baseUrl }),
      ...crons,
    ].map((task) => timedCron(clocks, task)),
    isClockAgreed: clocks.isAgreed,
    log,
  });
  opened.defer(() => runner.stop());

  const repeats = createRepeats(parts).map((work) => createNamedRepeater(work, { clocks, log }));
  opened.defer(async () => void (await Promise.all(repeats.map((repeat) => repeat.stop()))));

  const descriptors = watchDescriptors({ log, limit: readDescriptorLimit() });
  opened.defer(() => descriptors.close());
  const readiness = createReadiness({
    database,
    deliveries,
    mails,
    contacts,
    runner,
    repeats,
    clocks,
    descriptors,
    webhookTimeoutMs: options.webhookTimeoutMs,
    progressMaxAgeMs: options.progressMaxAgeMs,
    log,
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
  mails.start();
  contacts.start();
  for (const repeat of repeats) repeat.start();

  const running = opened.move();
  return {
    port: status.port,
    addresses: status.addresses,
    ended: Promise.race([runner.ended, descriptors.ended]),
    close: () => running.disposeAsync(),
  };
}
