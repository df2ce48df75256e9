import { randomBytes, randomUUID } from 'node:crypto';
import type { AccountWriter, Database } from '@service/database';
import { createDeliveries, createDeliveryTasks, type Deliveries } from '@service/deliveries';
import { createLog } from '@service/log';
import {
  createOutboundAgent,
  createOutboundPolicy,
  createResolver,
  type OutboundAgent,
} from '@service/outbound-http';
import { createSecretBox, type SecretBox } from '@service/secrets';
import { openBenchDatabase } from './bench-database.ts';
import { startCeilingProcess, type Ceiling } from './ceiling.ts';
import { postgresCpuMicroseconds } from './cpu.ts';
import { startReceiverProcess, type BenchReceiver } from './receiver.ts';

export const deliverHelp = `deliver   webhooks per second to a healthy receiver in another process, for 1 and for 1,000 endpoints, everything on
          (claim, signing, address guard, attempt rows, write-back). Ceiling: a bare undici loop that posts the same
          body with a signature made once, no database, to the same receiver. Second ceiling: the same, each signed`;

interface DeliverOptions {
  json: boolean;
  rounds: number;
  deliveries: number;
  concurrency: number;
}

interface Bench extends DeliverOptions {
  database: Database;
  receiver: BenchReceiver;
  ceiling: Ceiling;
  deliver: Deliveries;
  secretBox: SecretBox;
  agent: OutboundAgent;
  accountId: string;
}

/** Of one round, or the medians of all: per second, and microseconds of CPU for one delivery. */
interface Figures {
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

const retryScheduleSeconds = [0, 5, 30];
const receiverPorts = 4;
/** About the size of a registration's envelope with some custom fields. */
const body = JSON.stringify({ event: 'registered', padding: 'x'.repeat(980) });

export async function benchDeliver(options: DeliverOptions): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const { database } = opened.use(await openBenchDatabase());
  const receiver = opened.use(await startReceiverProcess(receiverPorts));
  const ceiling = opened.use(startCeilingProcess());
  const policy = createOutboundPolicy({ allowedCidrs: ['127.0.0.0/8'], allowHttp: true });
  const agent = opened.adopt(createOutboundAgent({ policy, resolver: createResolver() }), (agent) =>
    agent.destroy(),
  );
  const secretBox = createSecretBox(randomBytes(32).toString('base64'));
  const deliver = createDeliveries({ secretBox, retryScheduleSeconds, jobs: { wake: () => undefined } });
  const accountId = randomUUID();
  const bench: Bench = { ...options, database, receiver, ceiling, deliver, secretBox, agent, accountId };

  const results = [await measure(bench, 1), await measure(bench, 1000)];
  if (options.json) console.log(JSON.stringify({ bench: 'deliver', options, results }));
  else for (const result of results) console.log(describe(result));
}

async function measure(bench: Bench, endpoints: number): Promise<Figures & { endpoints: number }> {
  const urls = Array.from({ length: endpoints }, (_, index) => {
    return `${bench.receiver.origins[index % Math.min(endpoints, receiverPorts)]}/hook/${index}`;
  });
  const endpointIds = await createEndpoints(bench, urls);
  const rounds: Figures[] = [];
  // The first round warms everything up and does not count.
  for (let round = 0; round <= bench.rounds; round += 1) {
    const figures = await measureRound(bench, urls, endpointIds);
    if (round > 0) rounds.push(figures);
  }
  const names = Object.keys(rounds[0]!) as (keyof Figures)[];
  const medians = Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))]));
  return { endpoints, ...(medians as unknown as Figures) };
}

async function measureRound(bench: Bench, urls: string[], endpointIds: string[]): Promise<Figures> {
  const load = { urls, body, requests: bench.deliveries, concurrency: bench.concurrency };
  const ceiling = await bench.ceiling.measure({ ...load, signEach: false });
  const signingCeiling = await bench.ceiling.measure({ ...load, signEach: true });
  await enqueueAll(bench, endpointIds);
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

const write = <Result>(
  { database, accountId }: Bench,
  work: (tx: AccountWriter) => Promise<Result>,
): Promise<Result> => database.transaction((tx) => work({ ...tx, accountId, now: new Date() }));

const createEndpoints = (bench: Bench, urls: readonly string[]): Promise<string[]> =>
  write(bench, async (tx) => {
    const ids: string[] = [];
    for (const url of urls) ids.push((await bench.deliver.createEndpoint(tx, { url })).endpointId);
    return ids;
  });

async function enqueueAll(bench: Bench, endpointIds: readonly string[]): Promise<void> {
  const batch = 500;
  for (let done = 0; done < bench.deliveries; done += batch) {
    const drafts = Array.from({ length: Math.min(batch, bench.deliveries - done) }, (_, index) => ({
      endpointId: endpointIds[(done + index) % endpointIds.length]!,
      eventType: 'registered',
      body,
    }));
    await write(bench, (tx) => bench.deliver.enqueue(tx, drafts));
  }
}

/** From a full queue to an empty one, the last result written. */
async function deliverAll(
  bench: Bench,
): Promise<Pick<Figures, 'deliveries' | 'workerCpu' | 'postgresCpu' | 'receiverCpu'>> {
  const { database, secretBox, agent, concurrency, receiver, deliveries } = bench;
  const { promise: allSent, resolve, reject } = Promise.withResolvers<void>();
  let sent = 0;
  const tasks = createDeliveryTasks({
    database,
    secretBox,
    agent,
    retryScheduleSeconds,
    timeoutMs: 10_000,
    concurrency,
    log: createLog('bench', { level: 'warn' }),
    onAttempt({ outcome }) {
      if (outcome !== 'success') reject(new Error(`A delivery failed: ${outcome}.`));
      sent += 1;
      if (sent === deliveries) resolve();
    },
  });
  const readCpu = async () => {
    const own = process.cpuUsage();
    const postgres = await postgresCpuMicroseconds(database.pool);
    return { worker: own.user + own.system, postgres, receiver: await receiver.cpuMicroseconds() };
  };

  const before = await readCpu();
  const startedAt = performance.now();
  tasks.start();
  await allSent;
  await tasks.stop();
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await readCpu();
  return {
    deliveries: deliveries / seconds,
    workerCpu: (after.worker - before.worker) / deliveries,
    postgresCpu: (after.postgres - before.postgres) / deliveries,
    receiverCpu: (after.receiver - before.receiver) / deliveries,
  };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

function describe(figures: Figures & { endpoints: number }): string {
  const count = (value: number): string => Math.round(value).toLocaleString('en');
  return [
    `deliver, ${count(figures.endpoints)} endpoint(s): ${count(figures.deliveries)} deliveries/s`,
    `  ceiling, a bare undici loop:        ${count(figures.ceiling)}/s  ratio ${figures.ratio.toFixed(2)}`,
    `  ceiling, the same with signing:     ${count(figures.signingCeiling)}/s  ratio ${figures.signingRatio.toFixed(2)}`,
    `  CPU microseconds for one delivery:  worker ${figures.workerCpu.toFixed(0)}, Postgres ${figures.postgresCpu.toFixed(0)}, ` +
      `receiver ${figures.receiverCpu.toFixed(0)}`,
  ].join('\n');
}
