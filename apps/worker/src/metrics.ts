import type { DeliveryTasks, DeliveryTasksOptions } from '@service/deliveries';
import type { Log } from '@service/log';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface WorkerMetrics {
  contentType: string;
  onAttempt: NonNullable<DeliveryTasksOptions['onAttempt']>;
  /** Adds what is read from the queue at each scrape. */
  observe(deliveries: Pick<DeliveryTasks, 'backlog' | 'inFlight'>): void;
  render(): Promise<string>;
}

export function createMetrics(log: Log): WorkerMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Webhook attempts by outcome: success, or why they failed.',
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'delivery_attempt_duration_seconds',
    help: 'Time of one webhook attempt, from its start to the receiver’s answer or its failure.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });

  return {
    contentType: registry.contentType,
    onAttempt({ outcome, durationMs }) {
      attempts.inc({ outcome });
      duration.observe(durationMs / 1000);
    },
    observe(deliveries) {
      const oldestAge = new Gauge({
        name: 'delivery_oldest_due_age_seconds',
        help: 'How long the oldest due delivery has been due, over all workers.',
        registers,
      });
      new Gauge({
        name: 'delivery_due',
        help: 'Deliveries that are due, over all workers; counted up to 100,000.',
        registers,
        async collect() {
          try {
            const backlog = await deliveries.backlog();
            this.set(backlog.due);
            oldestAge.set(backlog.oldestAgeSeconds);
          } catch (error) {
            // Better no value than an old one, and the other metrics must not go with it.
            this.remove();
            oldestAge.remove();
            log.warn({ err: error }, 'The backlog could not be measured');
          }
        },
      });
      new Gauge({
        name: 'delivery_in_flight',
        help: 'Webhook attempts under way in this process.',
        registers,
        collect() {
          this.set(deliveries.inFlight());
        },
      });
    },
    render: () => registry.metrics(),
  };
}
