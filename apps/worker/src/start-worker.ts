import { createWorkSearch, openParts, serviceMigrations } from '@service/composition';
import { measureContacts } from '@service/contacts';
import { findSchemaProblem } from '@service/database';
import { measureBacklog } from '@service/deliveries';
import { createOperatorCheck, readDescriptorLimit, watchDescriptors } from '@service/lifecycle';
import { measureMails, openMailer, type MailSettings } from '@service/mails';
import { createClockCheck } from './clock-check.ts';
import { keepWorking } from './keep-working.ts';
import { createMetrics } from './metrics.ts';
import { createReadiness } from './readiness.ts';
import { startWork, type WorkSettings } from './start-work.ts';
import { startStatusServer } from './status-server.ts';

export { runMaintenance } from './maintain-partitions.ts';
export { notifyOfWeek } from './notify-of-week.ts';

export interface WorkerOptions extends WorkSettings {
  /** The port of the status server. Undefined: 3001, or a free port when that is taken. */
  port: number | undefined;
  /** Addresses or names that the status server listens on; all interfaces by default. */
  hosts?: readonly string[] | undefined;
  /** The bearer token of `/metrics`. Undefined: only this machine reads them. */
  metricsToken?: string | undefined;
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

/** Starts a worker process: its work, and the status server. Throws when the database cannot be reached or the port is taken. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { log } = options;
  // Everything that was opened is closed in reverse order, on stop and when a later step fails.
  await using opened = new AsyncDisposableStack();
  const { close: closeShared, ...shared } = await openParts({ ...options, name: 'worker' });
  opened.defer(closeShared);
  const { database, secretBox } = shared;

  const metrics = createMetrics(log);
  const search = createWorkSearch(database.pool, log);
  const clocks = createClockCheck({
    readClock: search.read,
    onSkipped: metrics.countSkippedRound,
    log,
  });

  const mailer = openMailer(options.mail, { database, secretBox, log });
  opened.defer(() => mailer?.close());

  const work = keepWorking({
    findProblem: () => findSchemaProblem(database.pool, serviceMigrations),
    start: () => startWork({ ...options, shared, mailer, metrics, search, clocks }),
    log,
  });
  opened.defer(() => work.stop());
  metrics.observe({
    backlog: () => measureBacklog(database.pool, options.deliveryQuota),
    mailBacklog: () => measureMails(database, shared.mailBacklogMax),
    inFlight: () => work.current()?.deliveries.inFlight() ?? { fast: 0, slow: 0 },
    openMails: () => work.current()?.mails.openSends() ?? 0,
    contactBacklog: () => measureContacts(database),
    contactLanes: () => work.current()?.contacts.busyLanes() ?? 0,
    contactCalls: () => work.current()?.contacts.openCalls() ?? 0,
    clockAheadMs: clocks.aheadMs,
  });

  const descriptors = watchDescriptors({ log, limit: readDescriptorLimit() });
  opened.defer(() => descriptors.close());
  const readiness = createReadiness({
    database,
    work: work.current,
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
  await work.start();

  const running = opened.move();
  return {
    port: status.port,
    addresses: status.addresses,
    ended: Promise.race([work.ended, descriptors.ended]),
    close: () => running.disposeAsync(),
  };
}
