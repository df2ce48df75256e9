import { setTimeout as delay } from 'node:timers/promises';
import type { ClockCounts } from '@service/attendees';
import { contactResults, type ContactBacklog, type ContactResult } from '@service/contacts';
import type { Backlog, DeliveryObserver } from '@service/deliveries';
import { createMetricRegistry } from '@service/lifecycle/metrics';
import type { Log } from '@service/log';
import type { MailBacklog, MailResult } from '@service/mails';
import { marketingProviders } from '@service/marketing-providers';
import { Counter, Gauge, type Registry } from 'prom-client';
import { createDeliveryObserver } from './delivery-observer.ts';

/** Values that are read at each scrape. */
interface Observed {
  /** The queue of all workers. */
  backlog(): Promise<Backlog>;
  mailBacklog(): Promise<MailBacklog>;
  inFlight(): { fast: number; slow: number };
  /** Mails that are being sent. */
  openMails(): number;
  contactBacklog(): Promise<ContactBacklog>;
  /** Marketing tools whose changes this worker sends at the moment. */
  contactLanes(): number;
  /** Calls of marketing tools that have no answer yet. */
  contactCalls(): number;
  /** Milliseconds that this process's clock is ahead of the database's; undefined before the first reading. */
  clockAheadMs(): number | undefined;
}

export interface WorkerMetrics {
  contentType: string;
  observer: DeliveryObserver;
  /** Counts the changes of one round of the session clock. */
  countSessionClock(counts: ClockCounts): void;
  /** Counts the outcome of a send. */
  countMail(outcome: MailResult): void;
  /** Counts the result of an attempt to send a change to a marketing tool. */
  countContact(provider: string, result: ContactResult): void;
  /** Counts a round that did not run because the clocks disagree. */
  countSkippedRound(round: string): void;
  observe(observed: Observed): void;
  render(): Promise<string>;
}

/** After this time a scrape goes on without the backlog. Prometheus ends a scrape after 10 s. */
const backlogMaxMs = 5000;

/** Counts the work of this worker, and measures the queue at each scrape. */
export function createMetrics(log: Log): WorkerMetrics {
  const registry = createMetricRegistry();
  return {
    contentType: registry.contentType,
    observer: createDeliveryObserver(registry),
    countSessionClock: createSessionClockCounter(registry),
    countMail: createMailCounter(registry),
    countContact: createContactCounter(registry),
    countSkippedRound: createSkippedRoundCounter(registry),
    observe({ backlog, mailBacklog, contactBacklog, clockAheadMs, ...own }) {
      addInFlight(registry, own.inFlight);
      addOwn(registry, own);
      addClockOffset(registry, clockAheadMs);
      addBacklog(addMeasured(registry, createMeasurement(backlog, log)));
      addMailBacklog(addMeasured(registry, createMeasurement(mailBacklog, log)));
      addContactBacklog(addMeasured(registry, createMeasurement(contactBacklog, log)));
    },
    render: () => registry.metrics(),
  };
}

function addInFlight(registry: Registry, inFlight: Observed['inFlight']): void {
  new Gauge({
    name: 'delivery_in_flight',
    help: 'Webhook attempts in flight in this process, by pace.',
    labelNames: ['lane'],
    registers: [registry],
    collect() {
      const { fast, slow } = inFlight();
      this.set({ lane: 'fast' }, fast);
      this.set({ lane: 'slow' }, slow);
    },
  });
}

function createSessionClockCounter(registry: Registry): WorkerMetrics['countSessionClock'] {
  const counter = new Counter({
    name: 'session_clock_total',
    help: 'Changes made by the session clock of this worker: sessions started and ended, attendees left, no-shows.',
    labelNames: ['change'],
    registers: [registry],
  });
  const count = ({ started, ended, left, noShows }: ClockCounts): void => {
    counter.inc({ change: 'started' }, started);
    counter.inc({ change: 'ended' }, ended);
    counter.inc({ change: 'left' }, left);
    counter.inc({ change: 'no_show' }, noShows);
  };
  // A rate over the first one needs a zero before it.
  count({ started: 0, ended: 0, left: 0, noShows: 0 });
  return count;
}

const mailOutcomes: readonly MailResult[] = [
  'sent',
  'uncertain',
  'bounced',
  'suppressed',
  'too_late',
  'failed',
  'again',
];

function createMailCounter(registry: Registry): WorkerMetrics['countMail'] {
  const counter = new Counter({
    name: 'mail_results_total',
    help: 'Results of mails that this worker has taken, by outcome; `again` waits for another try.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of mailOutcomes) counter.inc({ outcome }, 0);
  return (outcome) => counter.inc({ outcome });
}

function createContactCounter(registry: Registry): WorkerMetrics['countContact'] {
  const counter = new Counter({
    name: 'contact_results_total',
    help: 'Results of attempts of this worker to send a change of a contact, by marketing tool and outcome; `throttled`: the limits of the tool are used up, or the worker stopped; `not_begun`: the change was claimed and returned without a call.',
    labelNames: ['provider', 'outcome'],
    registers: [registry],
  });
  for (const { id } of marketingProviders)
    for (const outcome of contactResults) counter.inc({ provider: id, outcome }, 0);
  return (provider, outcome) => counter.inc({ provider, outcome });
}

/** The open work of this process. */
function addOwn(
  registry: Registry,
  { openMails, contactLanes, contactCalls }: Pick<Observed, 'openMails' | 'contactLanes' | 'contactCalls'>,
): void {
  const add = (name: string, help: string, count: () => number): void =>
    void new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(count());
      },
    });
  add('mail_open_sends', 'Mails that this process is sending.', openMails);
  add('contact_busy_lanes', 'Connections to marketing tools whose changes this process sends.', contactLanes);
  add(
    'contact_open_calls',
    'Calls of this process to marketing tools that have no answer yet.',
    contactCalls,
  );
}

function createSkippedRoundCounter(registry: Registry): WorkerMetrics['countSkippedRound'] {
  const counter = new Counter({
    name: 'clock_rounds_skipped_total',
    help: "Rounds of maintenance, session clock and timers that did not run because this clock and the database's disagree.",
    labelNames: ['round'],
    registers: [registry],
  });
  return (round) => counter.inc({ round });
}

function addClockOffset(registry: Registry, clockAheadMs: Observed['clockAheadMs']): void {
  new Gauge({
    name: 'clock_offset_seconds',
    help: "How far this process's clock is ahead of the database's; below zero it is behind.",
    registers: [registry],
    collect() {
      const aheadMs = clockAheadMs();
      if (aheadMs === undefined) this.remove();
      else this.set(aheadMs / 1000);
    },
  });
}

type Measure<Measured> = () => Promise<Measured | undefined>;

/** One measurement for all gauges of a scrape. Undefined when it failed: no value is better than an old one. */
function createMeasurement<Measured>(backlog: () => Promise<Measured>, log: Log): Measure<Measured> {
  let measuring: Promise<Measured | undefined> | undefined;
  const measure = async (): Promise<Measured | undefined> => {
    const givenUp = new AbortController();
    try {
      const late = delay(backlogMaxMs, undefined, { ref: false, signal: givenUp.signal }).then(() => {
        throw new Error(`No answer within ${backlogMaxMs} ms`);
      });
      return await Promise.race([backlog(), late]);
    } catch (error) {
      log.warn({ err: error }, 'The queue could not be measured');
      return undefined;
    } finally {
      givenUp.abort();
      measuring = undefined;
    }
  };
  return () => (measuring ??= measure());
}

interface GaugeText {
  name: string;
  help: string;
  labelNames?: string[];
}

type AddGauge<Measured> = (text: GaugeText, show: (gauge: Gauge, measured: Measured) => void) => void;

/** Gauges of one measurement. */
const addMeasured =
  <Measured>(registry: Registry, measure: Measure<Measured>): AddGauge<Measured> =>
  ({ name, help, labelNames = [] }, show) => {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const measured = await measure();
        this.reset();
        if (measured !== undefined) show(this, measured);
        // A gauge with labels has no series after `reset`; one without labels would show zero.
        else if (labelNames.length === 0) this.remove();
      },
    });
  };

function addMailBacklog(add: AddGauge<MailBacklog>): void {
  add({ name: 'mail_waiting', help: 'Mails that wait, over all workers.' }, (gauge, { waiting }) =>
    gauge.set(waiting),
  );
  add(
    {
      name: 'mail_oldest_due_age_seconds',
      help: 'Time since the oldest due mail became due, over all workers. Without accounts that have no sender, that are suspended or that rest.',
    },
    (gauge, { oldestDueAgeSeconds }) => gauge.set(oldestDueAgeSeconds),
  );
  add(
    {
      name: 'mail_unserved_seconds',
      help: 'The longest time for which an account with due mails was not served. Without accounts that have no sender, that are suspended or that rest.',
    },
    (gauge, { longestUnservedSeconds }) => gauge.set(longestUnservedSeconds),
  );
  add(
    { name: 'mail_accounts_full', help: 'Accounts that have reached MAIL_BACKLOG_MAX.' },
    (gauge, { fullAccounts }) => gauge.set(fullAccounts),
  );
  add(
    {
      name: 'mail_account_use_ratio',
      help: 'The largest share that an account uses of MAIL_BACKLOG_MAX: 1 at the limit.',
    },
    (gauge, { largestUse }) => gauge.set(largestUse),
  );
}

function addContactBacklog(add: AddGauge<ContactBacklog>): void {
  add(
    {
      name: 'contact_changes_waiting',
      help: 'Changes of contacts that wait, over all workers; counted up to 100,000.',
    },
    (gauge, { waiting }) => gauge.set(waiting),
  );
  add(
    {
      name: 'contact_oldest_due_age_seconds',
      help: 'Time since the oldest due change became due, over all workers. Without runs over everyone, and without tools that rest, are paused or disconnected and accounts that are suspended.',
    },
    (gauge, { oldestDueAgeSeconds }) => gauge.set(oldestDueAgeSeconds),
  );
}

function addBacklog(add: AddGauge<Backlog>): void {
  const counted = 'over all workers; counted up to 100,000.';
  add(
    { name: 'delivery_due', help: `Deliveries that may be sent now, with those in flight, ${counted}` },
    (gauge, { due }) => gauge.set(due),
  );
  add(
    { name: 'delivery_later', help: `Deliveries that wait for their next try, ${counted}` },
    (gauge, { later }) => gauge.set(later),
  );
  add(
    {
      name: 'delivery_held',
      help: `Deliveries that wait because their endpoint is paused or their account is suspended, ${counted}`,
    },
    (gauge, { parked }) => gauge.set(parked),
  );
  add(
    {
      name: 'delivery_oldest_due_age_seconds',
      help: 'Time since the oldest due delivery without a lease became due, over all workers.',
    },
    (gauge, { oldestDueAgeSeconds }) => gauge.set(oldestDueAgeSeconds),
  );
  add(
    {
      name: 'delivery_oldest_held_age_seconds',
      help: 'Time since the oldest delivery to a paused endpoint was made, over all workers.',
    },
    (gauge, { oldestParkedAgeSeconds }) => gauge.set(oldestParkedAgeSeconds),
  );
  add(
    {
      name: 'delivery_worst_endpoint_age_seconds',
      help: 'Age of the oldest due or parked delivery, with its endpoint. No series when nothing waits.',
      labelNames: ['account_id', 'endpoint_id'],
    },
    (gauge, { worstEndpoint: worst }) => {
      if (worst) gauge.set({ account_id: worst.accountId, endpoint_id: worst.endpointId }, worst.ageSeconds);
    },
  );
  add(
    {
      name: 'delivery_endpoints',
      help: 'Unhealthy endpoints, by health.',
      labelNames: ['health'],
    },
    (gauge, { failingEndpoints, pausedEndpoints }) => {
      gauge.set({ health: 'failing' }, failingEndpoints);
      gauge.set({ health: 'paused' }, pausedEndpoints);
    },
  );
  add(
    {
      name: 'delivery_accounts_full',
      help: 'Accounts that have reached a limit of their deliveries: DELIVERY_BACKLOG_MAX or DELIVERY_STORAGE_MAX_MB.',
    },
    (gauge, { fullAccounts }) => gauge.set(fullAccounts),
  );
  add(
    {
      name: 'delivery_account_use_ratio',
      help: 'The largest share that an account uses of a limit of its deliveries: 1 at the limit.',
    },
    (gauge, { largestUse }) => gauge.set(largestUse),
  );
}
