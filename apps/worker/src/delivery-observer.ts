import type { DeliveryObserver } from '@service/deliveries';
import { Counter, Histogram, type Registry } from 'prom-client';

const attemptBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Up to the delay of a deep backlog. */
const queueBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600, 21_600,
];
const statementBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The counters and histograms of one worker. */
export function createDeliveryObserver(registry: Registry): DeliveryObserver {
  const registers = [registry];
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
  const histogram = (name: string, help: string, buckets: number[]): Histogram =>
    new Histogram({ name, help, buckets, registers });

  const attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Webhook attempts by outcome: success, or the reason of the failure.',
    labelNames: ['outcome'],
    registers,
  });
  // A rate over the first success needs a zero before it.
  attempts.inc({ outcome: 'success' }, 0);
  const duration = histogram(
    'delivery_attempt_duration_seconds',
    'Time of one webhook attempt, from its start to the receiver’s answer or its failure.',
    attemptBuckets,
  );
  const queued = histogram(
    'delivery_queue_seconds',
    'Time from the moment a delivery was due to the start of its attempt.',
    queueBuckets,
  );
  const claims = counter('delivery_claims_total', 'Deliveries that this worker has claimed.');
  const pumpCycle = histogram(
    'delivery_pump_cycle_seconds',
    'Time to claim deliveries and to read their bodies.',
    statementBuckets,
  );
  const late = counter(
    'delivery_results_late_total',
    'Results that came after the end of their lease. Their deliveries are sent again.',
  );
  const writeBack = histogram(
    'delivery_write_back_seconds',
    'Time to write a batch of results.',
    statementBuckets,
  );
  const takenOver = counter(
    'delivery_leases_recovered_total',
    'Deliveries whose claims this worker took over from a dead worker.',
  );

  return {
    attempted({ outcome, durationMs, queuedMs }) {
      attempts.inc({ outcome });
      duration.observe(durationMs / 1000);
      // The clocks of two machines differ.
      queued.observe(Math.max(0, queuedMs) / 1000);
    },
    claimed({ count, seconds }) {
      claims.inc(count);
      pumpCycle.observe(seconds);
    },
    wroteBack({ late: lateCount, seconds }) {
      late.inc(lateCount);
      writeBack.observe(seconds);
    },
    tookOver: (count) => takenOver.inc(count),
  };
}
