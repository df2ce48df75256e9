import { openBenchDatabase } from './bench-database.ts';
import {
  createDeliveryBenchWorld,
  type BenchEndpoint,
  type DeliveryBenchWorld,
} from './delivery-bench-world.ts';
import { followJourneys, latenciesOf, type Journeys } from './journeys.ts';
import { startBareDelivery } from './latency-ceiling.ts';
import { median } from './median.ts';
import { runOpenLoop } from './open-loop.ts';
import { percentilesOf } from './percentiles.ts';
import { startReceiverProcess, type ReceiverProcess } from '../support/receiver-process.ts';
import { columns, count, mediansOf, ms, type BenchReport, type Target } from './report.ts';
import { startWorkers } from './worker-process.ts';

export const latencyHelp = `latency   from commit to receipt at a constant rate of transactions with one delivery each, 50/s and --rate. Ceiling: a
          process that gets a NOTIFY after the commit of a row, takes the row and posts it, and nothing else`;

export interface LatencyOptions {
  rounds: number;
  seconds: number;
  perSecond: number;
  workers: number;
  concurrency: number;
}

/** Milliseconds. */
interface Figures {
  p50: number;
  p95: number;
  p99: number;
  left: number;
  behind: number;
}

interface Bench extends LatencyOptions {
  world: DeliveryBenchWorld;
  receiver: ReceiverProcess;
  url: string;
  urls: readonly string[];
  /** One for each of the URLs. */
  endpoints: readonly BenchEndpoint[];
}

interface Measured {
  perSecond: number;
  service: Figures;
  ceiling: Figures;
  ratioP50: number;
  ratioP99: number;
}

const endpointCount = 20;
const warmUpSeconds = 3;
const arriveWithinMs = 5000;
const targetsMs = { p50: 15, p95: 50, p99: 150 };

export async function benchLatency(options: LatencyOptions): Promise<BenchReport> {
  await using opened = new AsyncDisposableStack();
  const { database, url } = opened.use(await openBenchDatabase());
  const world = opened.use(createDeliveryBenchWorld({ database, url }));
  const receiver = opened.use(await startReceiverProcess({ receivers: endpointCount, record: 'arrivals' }));
  const urls = receiver.origins.map((origin) => `${origin}/ok/hook`);
  const bench: Bench = { ...options, world, receiver, url, urls, endpoints: await world.createAccount(urls) };
  // Nothing of this counts: what a machine and its database do for the first time is slower.
  await measure({ ...bench, rounds: 1, seconds: warmUpSeconds });
  const results: Measured[] = [];
  for (const perSecond of new Set([50, options.perSecond]))
    results.push(await measure({ ...bench, perSecond }));
  return { figures: { results }, text: describe(options, results), targets: results.flatMap(targetsOf) };
}

async function measure(bench: Bench): Promise<Measured> {
  const ceilings: Figures[] = [];
  const services: Figures[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    ceilings.push(await measureCeiling(bench));
    services.push(await measureService(bench));
  }
  const ratioOf = (name: 'p50' | 'p99'): number =>
    median(services.map((service, round) => service[name] / ceilings[round]![name]));
  return {
    perSecond: bench.perSecond,
    service: mediansOf(services),
    ceiling: mediansOf(ceilings),
    ratioP50: ratioOf('p50'),
    ratioP99: ratioOf('p99'),
  };
}

async function measureService(bench: Bench): Promise<Figures> {
  const { world, endpoints, workers, concurrency } = bench;
  await using _workers = await startWorkers(world, workers, concurrency);
  const figures = await measureLoad(bench, (index) => world.enqueue([endpoints[index % endpointCount]!]));
  // Or the next worker would begin with what this one had sent and not recorded.
  await world.untilQueueIsEmpty();
  return figures;
}

async function measureCeiling(bench: Bench): Promise<Figures> {
  await using bare = await startBareDelivery(bench.world.database, bench.url);
  const figures = await measureLoad(bench, (index) => bare.enqueue(bench.urls[index % endpointCount]!));
  return figures;
}

/** `enqueue` commits one delivery and returns its id, in a list. */
async function measureLoad(
  { receiver, perSecond, seconds }: Bench,
  enqueue: (index: number) => Promise<string[]>,
): Promise<Figures> {
  const load = (journeys: Journeys, loadSeconds: number) =>
    runOpenLoop({
      perSecond,
      seconds: loadSeconds,
      arrive: async (index) => journeys.depart(await enqueue(index)),
    });
  await load(followJourneys(receiver), warmUpSeconds);
  const journeys = followJourneys(receiver);
  const { latestMs: behind } = await load(journeys, seconds);
  const all = await journeys.untilArrived(arriveWithinMs);
  const left = all.filter(({ receivedMs }) => receivedMs === undefined).length;
  const { p50, p95, p99 } = percentilesOf(latenciesOf(all));
  return { p50, p95, p99, left, behind };
}

function describe(options: LatencyOptions, results: readonly Measured[]): string {
  const row = (name: string, figures: Figures): string[] => [
    name,
    ...[figures.p50, figures.p95, figures.p99].map(ms),
    count(figures.left),
    ms(figures.behind),
  ];
  return [
    `latency: commit to receipt, ${options.workers} worker process(es), ${options.seconds} s at each rate`,
    columns([
      ['', 'p50', 'p95', 'p99', 'left', 'bench behind'],
      ...results.flatMap(({ perSecond, service, ceiling, ratioP50, ratioP99 }) => [
        row(`${count(perSecond)}/s`, service),
        row('  ceiling, NOTIFY and a bare POST', ceiling),
        ['  ratio', ratioP50.toFixed(2), '', ratioP99.toFixed(2), '', ''],
      ]),
    ]),
  ].join('\n');
}

const targetsOf = ({ perSecond, service }: Measured): Target[] =>
  (['p50', 'p95', 'p99'] as const).map((name) => ({
    name: `${name} in ms at ${count(perSecond)}/s`,
    figure: service[name],
    is: 'at most',
    target: targetsMs[name],
    accepted: targetsMs[name],
  }));
