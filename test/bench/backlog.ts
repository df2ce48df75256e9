import { setTimeout as delay } from 'node:timers/promises';
import { clockMs } from '../support/clock-ms.ts';
import { postgresCpuMicroseconds, processCpuMicroseconds } from './cpu.ts';
import { draftTo, type BenchEndpoint, type DeliveryBenchWorld } from './delivery-bench-world.ts';
import { followJourneys } from './journeys.ts';
import type { ReceiverProcess } from '../support/receiver-process.ts';
import type { WorkerProcess } from './worker-process.ts';

export interface Backlog {
  world: DeliveryBenchWorld;
  receiver: ReceiverProcess;
  /** Of one account. */
  endpoints: readonly BenchEndpoint[];
  deliveries: number;
}

export interface BacklogFigures {
  /** Deliveries per second, from the backlog's commit to its last receipt. */
  perSecond: number;
  /** Microseconds of CPU of all workers for one delivery. */
  workerCpu: number;
  /** The same of Postgres and of the receiver. */
  postgresCpu: number;
  receiverCpu: number;
}

const batchSize = 500;
const minuteMs = 60_000;
const askEveryMs = 50;

/** The speed at which idle workers deliver a backlog that is committed at once. */
export async function measureBacklog(
  { world, receiver, endpoints, deliveries }: Backlog,
  workers: readonly WorkerProcess[],
): Promise<BacklogFigures> {
  await receiver.takeArrivals();
  const journeys = followJourneys(receiver);
  const readCpu = async () => {
    const times = await Promise.all(workers.map(({ pid }) => processCpuMicroseconds(pid)));
    return {
      workerCpu: times.reduce((sum, time) => sum + time, 0),
      postgresCpu: await postgresCpuMicroseconds(world.database.pool),
      receiverCpu: await receiver.cpuMicroseconds(),
    };
  };

  const deliveryIds = await world.writeAs(endpoints[0]!.accountId, async (tx) => {
    const ids: string[] = [];
    for (let done = 0; done < deliveries; done += batchSize) {
      const drafts = Array.from({ length: Math.min(batchSize, deliveries - done) }, (_, index) =>
        draftTo(endpoints[(done + index) % endpoints.length]!),
      );
      ids.push(...(await world.deliveries.enqueue(tx, drafts)));
    }
    return ids;
  });
  const committedMs = clockMs();
  const cpuBefore = await readCpu();
  journeys.depart(deliveryIds);
  const deadlineMs = committedMs + 2 * minuteMs;
  // To take every receipt each time would cost a tenth of the processors that are measured.
  while ((await receiver.countReceipts()) < deliveries && clockMs() < deadlineMs) await delay(askEveryMs);
  const arrived = await journeys.untilArrived(deadlineMs - clockMs());
  const missing = arrived.filter(({ receivedMs }) => receivedMs === undefined).length;
  if (missing > 0) throw new Error(`${missing} of ${deliveries} deliveries never arrived.`);
  await world.untilQueueIsEmpty();
  const lastMs = arrived.reduce((last, { receivedMs }) => Math.max(last, receivedMs!), 0);
  const cpuAfter = await readCpu();
  const each = (name: keyof typeof cpuAfter): number => (cpuAfter[name] - cpuBefore[name]) / deliveries;
  return {
    perSecond: (deliveries * 1000) / (lastMs - committedMs),
    workerCpu: each('workerCpu'),
    postgresCpu: each('postgresCpu'),
    receiverCpu: each('receiverCpu'),
  };
}
