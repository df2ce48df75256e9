import { setTimeout as delay } from 'node:timers/promises';
import { dropPartitionsBefore } from '@service/database';
import { deliveriesModule } from '@service/deliveries';
import { clockMs } from '../support/clock-ms.ts';
import type { BenchEndpoint, DeliveryBenchWorld } from './delivery-bench-world.ts';
import { followJourneys, latenciesOf, type Journey } from './journeys.ts';
import type { ReceiverProcess } from '../support/receiver-process.ts';
import { mediansOf } from './report.ts';
import { runOpenLoop } from './open-loop.ts';
import { startWorkers } from './worker-process.ts';

/** Milliseconds. */
export interface RetentionFigures {
  /** To drop one day of both tables. */
  dropMs: number;
  /** The longest that a delivery took, from before its enqueueing to its receipt, in the two seconds before. */
  longestBeforeMs: number;
  /** The longest of those under way while the day was dropped. */
  longestMeanwhileMs: number;
}

interface Retention {
  world: DeliveryBenchWorld;
  receiver: ReceiverProcess;
  endpoints: readonly BenchEndpoint[];
  rounds: number;
  concurrency: number;
  /** Of the filled days. */
  oldest: Date;
}

const dayMs = 86_400_000;
const perSecond = 200;
const quietMs = 2000;

/** Drops the oldest days, one after the other, while deliveries go on. */
export async function measureRetention({
  world,
  receiver,
  endpoints,
  rounds,
  concurrency,
  oldest,
}: Retention): Promise<RetentionFigures> {
  await using _workers = await startWorkers(world, 1, concurrency);
  const journeys = followJourneys(receiver);
  const drops: { fromMs: number; toMs: number }[] = [];
  const dropDays = async (): Promise<void> => {
    await delay(quietMs);
    for (let day = 0; day < rounds; day += 1) {
      await delay(quietMs);
      const before = new Date(oldest.getTime() + (day + 1) * dayMs);
      const fromMs = clockMs();
      const { dropped, postponed } = await dropPartitionsBefore(
        world.database.pool,
        deliveriesModule.partitions,
        before,
      );
      if (postponed.length > 0 || dropped.length === 0)
        throw new Error(`Not dropped: ${postponed.join(', ')}.`);
      drops.push({ fromMs, toMs: clockMs() });
    }
  };
  const traffic = runOpenLoop({
    perSecond,
    seconds: ((rounds + 2) * quietMs) / 1000,
    async arrive(index) {
      const startedMs = clockMs();
      journeys.depart(await world.enqueue([endpoints[index % endpoints.length]!]), startedMs);
    },
  });
  await Promise.all([traffic, dropDays()]);
  const all = await journeys.untilArrived(5000);
  const longest = (isMeant: (journey: Journey) => boolean): number =>
    latenciesOf(all.filter(isMeant)).reduce((longest, latency) => Math.max(longest, latency), 0);
  return mediansOf(
    drops.map(({ fromMs, toMs }) => ({
      dropMs: toMs - fromMs,
      longestBeforeMs: longest(({ committedMs, receivedMs = Infinity }) => {
        return committedMs > fromMs - quietMs && receivedMs < fromMs;
      }),
      longestMeanwhileMs: longest(({ committedMs, receivedMs = Infinity }) => {
        return committedMs < toMs && receivedMs > fromMs;
      }),
    })),
  );
}
