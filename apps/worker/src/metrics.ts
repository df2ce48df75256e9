import { setTimeout as delay } from 'node:timers/promises';
import type { Backlog, DeliveryObserver } from '@service/deliveries';
import type { Log } from '@service/log';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { createDeliveryObserver } from './delivery-observer.ts';
import { createSessionClockCounter, type SessionClockCounter } from './session-clock-counter.ts';

/** What is read at each scrape. */
interface Observed {
  /** Of the queue, over all workers. */
  backlog(): Promise<Backlog>;
  inFlight(): { fast: number; slow: number };
  /** Milliseconds that this process's clock is ahead of the database's; undefined before they are known. */
  clockAheadMs(): number | undefined;
}

export interface WorkerMetrics {
  contentType: string;
  observer: DeliveryObserver;
  countClock: SessionClockCounter;
  /** A round of `round` did not run because clocks disagree. */
  countSkippedRound(round: string): void;
  observe(observed: Observed): void;
  render(): Promise<string>;
}

/** So that a database which does not answer takes the other metrics not with it; Prometheus gives a scrape 10 s. */
const backlogMaxMs = 5000;

/** Counts what this worker does, and measures the queue when it is asked. */
export function createMetrics(log: Log): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    contentType: registry.contentType,
    observer: createDeliveryObserver(registry),
    countClock: createSessionClockCounter(registry),
    countSkippedRound: createSkippedRoundCounter(registry),
    observe({ backlog, inFlight, clockAheadMs }) {
      addInFlight(registry, inFlight);
      addClockOffset(registry, clockAheadMs);
      if (backlog) addBacklog(registry, createMeasurement(backlog, log));
    },
    render: () => registry.metrics(),
  };
}

function addInFlight(registry: Registry, inFlight: Observed['inFlight']): void {
  new Gauge({
    name: 'delivery_in_flight',
    help: 'Webhook attempts under way in this process, by lane.',
    labelNames: ['lane'],
    registers: [registry],
    collect() {
      const { fast, slow } = inFlight();
      this.set({ lane: 'fast' }, fast);
      this.set({ lane: 'slow' }, slow);
    },
  });
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

type Measure = () => Promise<Backlog | undefined>;

/** One measurement for all gauges of a scrape. Undefined when there was none: better no value than an old one. */
function createMeasurement(backlog: () => Promise<Backlog>, log: Log): Measure {
  let measuring: Promise<Backlog | undefined> | undefined;
  const measure = async (): Promise<Backlog | undefined> => {
    const givenUp = new AbortController();
    try {
      const late = delay(backlogMaxMs, undefined, { ref: false, signal: givenUp.signal }).then(() => {
        throw new Error(`No answer within ${backlogMaxMs} ms`);
      });
      return await Promise.race([backlog(), late]);
    } catch (error) {
      log.warn({ err: error }, 'The backlog could not be measured');
      return undefined;
    } finally {
      givenUp.abort();
      measuring = undefined;
    }
  };
  return () => (measuring ??= measure());
}

function addBacklog(registry: Registry, measure: Measure): void {
  const add = (
    { name, help, labelNames = [] }: { name: string; help: string; labelNames?: string[] },
    show: (gauge: Gauge, backlog: Backlog) => void,
  ): void => {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const backlog = await measure();
        this.reset();
        if (backlog !== undefined) show(this, backlog);
        // With labels it has no series by now; without, it stands at zero.
        else if (labelNames.length === 0) this.remove();
      },
    });
  };
  const counted = 'over all workers; counted up to 100,000.';
  add(
    { name: 'delivery_due', help: `Deliveries that may be sent now, those under way included, ${counted}` },
    (gauge, { due }) => gauge.set(due),
  );
  add(
    { name: 'delivery_later', help: `Deliveries that wait for their next try, ${counted}` },
    (gauge, { later }) => gauge.set(later),
  );
  add(
    { name: 'delivery_held', help: `Deliveries that wait because their endpoint is paused, ${counted}` },
    (gauge, { held }) => gauge.set(held),
  );
  add(
    {
      name: 'delivery_oldest_due_age_seconds',
      help: 'How long the oldest due delivery that no worker holds has been due, over all workers.',
    },
    (gauge, { oldestDueAgeSeconds }) => gauge.set(oldestDueAgeSeconds),
  );
  add(
    {
      name: 'delivery_oldest_held_age_seconds',
      help: 'How long ago the oldest delivery was made that waits for a paused endpoint, over all workers.',
    },
    (gauge, { oldestHeldAgeSeconds }) => gauge.set(oldestHeldAgeSeconds),
  );
  add(
    {
      name: 'delivery_worst_endpoint_age_seconds',
      help: 'Age of the oldest due or held delivery, with the endpoint it is for; no series when nothing waits.',
      labelNames: ['account_id', 'endpoint_id'],
    },
    (gauge, { worstEndpoint: worst }) => {
      if (worst) gauge.set({ account_id: worst.accountId, endpoint_id: worst.endpointId }, worst.ageSeconds);
    },
  );
  add(
    {
      name: 'delivery_endpoints',
      help: 'Endpoints that do not fare well, by health.',
      labelNames: ['health'],
    },
    (gauge, { failingEndpoints, pausedEndpoints }) => {
      gauge.set({ health: 'failing' }, failingEndpoints);
      gauge.set({ health: 'paused' }, pausedEndpoints);
    },
  );
}
