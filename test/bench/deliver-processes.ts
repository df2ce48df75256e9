import { measureBacklog } from './backlog.ts';
import { startCeilingProcess } from './ceiling.ts';
import type { DeliverOptions } from './deliver.ts';
import { draftTo, type DeliveryBenchWorld } from './delivery-bench-world.ts';
import { startReceiverProcess } from '../support/receiver-process.ts';
import { mediansOf } from './report.ts';
import { startWorkers } from './worker-process.ts';

/** Of one round, or the medians of all: per second, and microseconds of CPU for one delivery. */
export interface ProcessFigures {
  one: number;
  two: number;
  /** As many bare loops in processes of their own: what a second process is worth on this machine. */
  oneCeiling: number;
  twoCeiling: number;
  oneRatio: number;
  twoRatio: number;
  oneCpu: number;
  twoCpu: number;
  /** Two to one. */
  scaling: number;
  ceilingScaling: number;
}

const endpointCount = 1000;
const receiverPorts = 4;

/** One and two worker processes, each beside as many bare loops. */
export async function measureProcesses(
  world: DeliveryBenchWorld,
  { rounds, deliveries, concurrency }: DeliverOptions,
): Promise<ProcessFigures> {
  await using opened = new AsyncDisposableStack();
  const receiver = opened.use(await startReceiverProcess({ receivers: receiverPorts, record: 'arrivals' }));
  const ceilings = [opened.use(await startCeilingProcess()), opened.use(await startCeilingProcess())];
  const urls = Array.from(
    { length: endpointCount },
    (_, index) => `${receiver.origins[index % receiverPorts]}/ok/${index}`,
  );
  const endpoints = await world.createAccount(urls);
  const backlog = { world, receiver, endpoints, deliveries };
  const { body } = draftTo(endpoints[0]!);

  const runWorkers = async (processes: number) => {
    await using started = await startWorkers(world, processes, concurrency);
    const { workers } = started;
    // The first run of a process is slower and does not count.
    await measureBacklog({ ...backlog, deliveries: Math.min(deliveries, 2000) }, workers);
    return await measureBacklog(backlog, workers);
  };
  const runCeilings = async (processes: number): Promise<number> => {
    const load = { urls, body, requests: deliveries / processes, concurrency, signEach: false };
    const rates = await Promise.all(ceilings.slice(0, processes).map((ceiling) => ceiling.measure(load)));
    return rates.reduce((sum, rate) => sum + rate, 0);
  };
  const measureRound = async (): Promise<ProcessFigures> => {
    const oneCeiling = await runCeilings(1);
    const one = await runWorkers(1);
    const twoCeiling = await runCeilings(2);
    const two = await runWorkers(2);
    return {
      one: one.perSecond,
      two: two.perSecond,
      oneCeiling,
      twoCeiling,
      oneRatio: one.perSecond / oneCeiling,
      twoRatio: two.perSecond / twoCeiling,
      oneCpu: one.workerCpu,
      twoCpu: two.workerCpu,
      scaling: two.perSecond / one.perSecond,
      ceilingScaling: twoCeiling / oneCeiling,
    };
  };

  await runCeilings(2);
  const measured: ProcessFigures[] = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await measureRound());
  return mediansOf(measured);
}
