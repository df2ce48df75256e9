import { setTimeout as delay } from 'node:timers/promises';
import { findMemberAddresses, findWorkspaceNames } from '@service/accounts';
import { findRuleMails, refireBody } from '@service/automations';
import {
  createLinks,
  createModuleJobs,
  createRepeats,
  purgers,
  type SharedOptions,
  type SharedParts,
  type WorkerParts,
  type WorkReading,
  type WorkSearch,
} from '@service/composition';
import { createContactWorker, type ContactWorker } from '@service/contacts';
import { createDeliveryWorker, type DeliveryWorker } from '@service/deliveries';
import { startJobRunner, type JobRunner } from '@service/jobs';
import { createMailWorker, findSuppressed, type MailWorker } from '@service/mails';
import { createOutboundAgent, createOutboundPolicy, createResolver } from '@service/outbound-http';
import { readRegistrationRevenue } from '@service/revenue';
import { timedCron, type ClockCheck } from './clock-check.ts';
import { maintainPartitions, rebuildPartitionIndexes } from './maintain-partitions.ts';
import type { WorkerMetrics } from './metrics.ts';
import { createNamedRepeater, type NamedRepeater } from './named-repeater.ts';
import { notifyOfConnections } from './notify-of-connections.ts';
import { notifyOfFailures } from './notify-of-failures.ts';
import { notifyOfWeek } from './notify-of-week.ts';
import { notifyOwners } from './notify-owners.ts';

export interface WorkSettings extends Omit<SharedOptions, 'name'> {
  webhookTimeoutMs: number;
  /** Deliveries in flight at once. */
  concurrency: number;
  /** Retention of calls, executions and deliveries. */
  retentionDays: number;
  /** Retention of the bodies of deliveries. Undefined: as long as the deliveries. */
  bodyRetentionDays?: number | undefined;
  /** Retention of attendees' events. Undefined: events are kept. */
  eventRetentionDays?: number | undefined;
  idempotencyWindowHours: number;
}

/** Everything that takes work: the queues, the jobs and the clocks. */
export interface Work {
  deliveries: DeliveryWorker;
  mails: MailWorker;
  contacts: ContactWorker;
  runner: JobRunner;
  repeats: readonly NamedRepeater[];
  /** Settles when the job runner has ended, for any reason. */
  ended: Promise<void>;
  /** Takes nothing new, finishes and records attempts in flight (12 s at most). */
  stop(): Promise<void>;
}

interface WorkOptions extends WorkSettings {
  shared: SharedParts;
  /** Undefined: no mail is sent. */
  mailer: WorkerParts['mailer'];
  metrics: WorkerMetrics;
  search: Pick<WorkSearch, 'mayFind' | 'untilWork'>;
  /** Its readings are those of the search. */
  clocks: ClockCheck<WorkReading>;
}

const drainMaxMs = 12_000;

/** An endpoint belongs to a rule or to a subscription, and their pages show its health. */
const changedTopics = { deliveries: ['deliveries'], endpoints: ['rules', 'webhooks'] } as const;

/** Starts all work of a worker process. Throws when the database cannot be reached. */
export async function startWork(options: WorkOptions): Promise<Work> {
  const { shared, mailer, metrics, clocks, log, baseUrl, retryScheduleSeconds, idempotencyWindowHours } =
    options;
  const { mayFind, untilWork } = options.search;
  const { database, secretBox, jobs, changes } = shared;
  // Stopped in reverse order, also when a later step fails.
  await using opened = new AsyncDisposableStack();
  const policy = createOutboundPolicy({
    allowedCidrs: options.webhookAllowedCidrs,
    allowHttp: options.webhookAllowHttp,
  });
  const agent = createOutboundAgent({ policy, resolver: createResolver() });
  opened.defer(() => agent.destroy());

  const deliveries = createDeliveryWorker({
    database,
    secretBox,
    agent,
    refire: refireBody,
    findJoinUrls: shared.findJoinUrls,
    retryScheduleSeconds,
    quota: options.deliveryQuota,
    timeoutMs: options.webhookTimeoutMs,
    concurrency: options.concurrency,
    mayFind,
    untilWork,
    log,
    observer: metrics.observer,
    onChanged(accountId, what) {
      for (const topic of changedTopics[what]) changes.announce(accountId, topic);
    },
  });
  const mails = createMailWorker({
    database,
    connections: shared.connections,
    mailer,
    ...createLinks(options),
    baseUrl,
    readWorkspaceNames: findWorkspaceNames,
    readMemberAddresses: findMemberAddresses,
    readRuleMails: findRuleMails,
    onChanged: (accountId) => changes.announce(accountId, 'mails'),
    onOutcome: metrics.countMail,
    mayFind,
    untilWork,
    log,
  });
  const contacts = createContactWorker({
    database,
    marketing: shared.connections.marketing,
    readRevenue: readRegistrationRevenue,
    readSuppressed: findSuppressed,
    onChanged: (accountId) => changes.announce(accountId, 'connections'),
    onResult: metrics.countContact,
    mayFind,
    untilWork,
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
  const { countSessionClock } = metrics;
  const parts: WorkerParts = {
    ...shared,
    purgers,
    baseUrl,
    mailer,
    idempotencyWindowHours,
    countSessionClock,
  };
  const { tasks, crons } = createModuleJobs(parts);
  const runner = await startJobRunner({
    pool: database.pool,
    listenOn: database,
    tasks,
    crons: [
      maintainPartitions(database.sessionPool, options),
      rebuildPartitionIndexes(database.sessionPool),
      notifyOwners({ database, jobs, dashboardUrl: mailer && baseUrl }),
      notifyOfConnections({ database, jobs, dashboardUrl: mailer && baseUrl }),
      notifyOfFailures({ database, jobs, dashboardUrl: mailer && baseUrl, retryScheduleSeconds }),
      notifyOfWeek({ database, jobs, dashboardUrl: mailer && baseUrl, retryScheduleSeconds }),
      ...crons,
    ].map((task) => timedCron(clocks, task)),
    isClockAgreed: clocks.isAgreed,
    mayFind,
    untilWork,
    log,
  });
  opened.defer(() => runner.stop());

  const repeats = createRepeats(parts).map((work) => createNamedRepeater(work, { clocks, untilWork, log }));
  opened.defer(async () => void (await Promise.all(repeats.map((repeat) => repeat.stop()))));
  deliveries.start();
  mails.start();
  contacts.start();
  for (const repeat of repeats) repeat.start();
  const running = opened.move();
  return {
    deliveries,
    mails,
    contacts,
    runner,
    repeats,
    ended: runner.ended,
    stop: () => running.disposeAsync(),
  };
}
