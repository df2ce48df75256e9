import {
  createOutboundAgent,
  createOutboundPolicy,
  createResolver,
  type OutboundAgent,
} from '@service/outbound-http';
import { measureRounds } from './bench.ts';
import { startCeilingProcess, type Ceiling } from './ceiling.ts';
import { postgresCpuMicroseconds } from './cpu.ts';
import type { DeliverOptions } from './deliver.ts';
import { draftTo, type BenchEndpoint, type DeliveryBenchWorld } from './delivery-bench-world.ts';
import { startReceiverProcess, type ReceiverProcess } from '../support/receiver-process.ts';
import { mediansOf } from './report.ts';

interface Bench extends DeliverOptions {
  world: DeliveryBenchWorld;
  receiver: ReceiverProcess;
  ceiling: Ceiling;
  agent: OutboundAgent;
}

/** Of one round, or the medians of all: per second, and microseconds of CPU for one delivery. */
export interface InProcessFigures {
  ceiling: number;
  signingCeiling: number;
  deliveries: number;
  /** Deliveries to the ceiling of the same round. */
  ratio: number;
  signingRatio: number;
  workerCpu: number;
  postgresCpu: number;
  receiverCpu: number;
}

type Measured = InProcessFigures & { endpoints: number };

const receiverPorts = 4;

/** A worker in this process, for 1 and for 1,000 endpoints. */
export async function measureInProcess(
  world: DeliveryBenchWorld,
  options: DeliverOptions,
): Promise<Measured[]> {
  await using opened = new AsyncDisposableStack();
  const receiver = opened.use(await startReceiverProcess({ receivers: receiverPorts, record: 'nothing' }));
  const ceiling = opened.use(await startCeilingProcess());
  const policy = createOutboundPolicy({ allowedCidrs: ['127.0.0.0/8'], allowHttp: true });
  const agent = opened.adopt(createOutboundAgent({ policy, resolver: createResolver() }), (agent) =>
    agent.destroy(),
  );
  const bench: Bench = { ...options, world, receiver, ceiling, agent };
  return [await measure(bench, 1), await measure(bench, 1000)];
}

async function measure(bench: Bench, endpoints: number): Promise<Measured> {
  const urls = Array.from({ length: endpoints }, (_, index) => {
    return `${bench.receiver.origins[index % Math.min(endpoints, receiverPorts)]}/hook/${index}`;
  });
  const targets = await bench.world.createAccount(urls);
  const rounds = await measureRounds(bench.rounds, () => measureRound(bench, urls, targets));
  return { endpoints, ...mediansOf(rounds) };
}

async function measureRound(
  bench: Bench,
  urls: string[],
  endpoints: readonly BenchEndpoint[],
): Promise<InProcessFigures> {
  const { body } = draftTo(endpoints[0]!);
  const load = { urls, body, requests: bench.deliveries, concurrency: bench.concurrency };
  const ceiling = await bench.ceiling.measure({ ...load, signEach: false });
  const signingCeiling = await bench.ceiling.measure({ ...load, signEach: true });
  await enqueueAll(bench, endpoints);
  const { deliveries, ...cpu } = await deliverAll(bench);
  return {
    ceiling,
    signingCeiling,
    deliveries,
    ratio: deliveries / ceiling,
    signingRatio: deliveries / signingCeiling,
    ...cpu,
  };
}

async function enqueueAll({ world, deliveries }: Bench, endpoints: readonly BenchEndpoint[]): Promise<void> {
  const batch = 500;
  for (let done = 0; done < deliveries; done += batch) {
    const length = Math.min(batch, deliveries - done);
    await world.enqueue(Array.from({ length }, (_, index) => endpoints[(done + index) % endpoints.length]!));
  }
}

/** From a full queue to an empty one, the last result written. */
async function deliverAll(
  bench: Bench,
): Promise<Pick<InProcessFigures, 'deliveries' | 'workerCpu' | 'postgresCpu' | 'receiverCpu'>> {
  const { world, agent, concurrency, receiver, deliveries } = bench;
  const { promise: allSent, resolve, reject } = Promise.withResolvers<void>();
  let sent = 0;
  const worker = world.createWorker({
    agent,
    concurrency,
    attempted({ outcome }) {
      if (outcome !== 'success') reject(new Error(`A delivery failed: ${outcome}.`));
      sent += 1;
      if (sent === deliveries) resolve();
    },
  });
  const readCpu = async () => {
    const own = process.cpuUsage();
    const postgres = await postgresCpuMicroseconds(world.database.pool);
    return { worker: own.user + own.system, postgres, receiver: await receiver.cpuMicroseconds() };
  };

  const before = await readCpu();
  const startedAt = performance.now();
  worker.start();
  await allSent;
  await worker.stop();
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await readCpu();
  return {
    deliveries: deliveries / seconds,
    workerCpu: (after.worker - before.worker) / deliveries,
    postgresCpu: (after.postgres - before.postgres) / deliveries,
    receiverCpu: (after.receiver - before.receiver) / deliveries,
  };
}
