// Checks that everything that was acknowledged has a recorded end.
import { check, type Outcome } from './drill.ts';
import {
  countDuplicates,
  firstWaits,
  judgeDeliveries,
  judgeEvents,
  seconds,
  type Interruption,
} from './judge.ts';
import { readDeliveries, readRegistrations, type DeliveryRecord } from './records.ts';
import type { Receipt } from '../support/receiver-process.ts';
import type { Answer, Traffic } from './traffic.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { ChaosWorld } from './world.ts';

interface ReconcileOptions {
  traffic: readonly Traffic[];
  /** Only deliveries in flight at one of these may have been requested more often than their attempts on record say. */
  interruptions?: readonly Interruption[];
}

const drainMaxMs = 45_000;

interface Reconciled extends Outcome {
  deliveries: DeliveryRecord[];
  receipts: Receipt[];
}

/** Waits until the queue is empty, within a bound, and compares API answers, tables and receipts. */
export async function reconcile(world: ChaosWorld, options: ReconcileOptions): Promise<Reconciled> {
  const { traffic, interruptions = [] } = options;
  const startedAt = performance.now();
  await waitUntil(async () => (await world.countDue()) === 0, drainMaxMs);
  const drainedMs = performance.now() - startedAt;
  const due = await world.countDue();
  const deliveries = await readDeliveries(world);
  const receipts = await world.receiver.receipts();
  const answers = traffic.flatMap((one) => one.answers);
  const duplicates = countDuplicates(deliveries, receipts, interruptions);
  return {
    checks: [
      check('the queue is empty at the end', due === 0, `${due} wait after ${seconds(drainedMs)}`),
      ...judgeEvents(await readRegistrations(world), answers),
      ...judgeDeliveries(deliveries, receipts),
      check(
        interruptions.length === 0
          ? 'no request beyond the attempts on record'
          : 'requests beyond the attempts on record were in flight at an interruption',
        duplicates.unexplained === 0,
        `${duplicates.unexplained} of ${duplicates.count} were not`,
      ),
    ],
    figures: {
      ...describeLoad(traffic, receipts),
      deliveries: deliveries.length,
      'visibly failed': deliveries.filter(({ status }) => status === 'failure').length,
      duplicates: duplicates.count,
      'slowest first request': seconds(firstWaits(deliveries, receipts).at(-1) ?? 0),
      'drained in': seconds(drainedMs),
    },
    deliveries,
    receipts,
  };
}

/** Rates are of the time while the load went on. */
function describeLoad(traffic: readonly Traffic[], receipts: readonly Receipt[]): Outcome['figures'] {
  const answers = traffic.flatMap((load) => load.answers).toSorted((a, b) => a.at - b.at);
  const count = (some: readonly Answer[]): number => some.reduce((sum, { emails }) => sum + emails.length, 0);
  const events = count(answers.filter((answer) => answer.acknowledged));
  const [first, last] = [answers[0]?.at ?? 0, answers.at(-1)?.at ?? 0];
  const lastedSeconds = (last - first) / 1000;
  const received = receipts.filter(({ at }) => at <= last).length;
  return {
    // Registrations in one burst have no rate.
    ...(lastedSeconds > 1 && {
      'events/s': Math.round(events / lastedSeconds),
      'deliveries/s': Math.round(received / lastedSeconds),
    }),
    events,
    unacknowledged: count(answers) - events,
    'not sent in time': traffic.reduce((sum, load) => sum + load.notSent(), 0),
  };
}
