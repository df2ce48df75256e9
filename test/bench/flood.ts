import { openBenchDatabase } from './bench-database.ts';
import { clockMs } from '../support/clock-ms.ts';
import { createDeliveryBenchWorld, type DeliveryBenchWorld } from './delivery-bench-world.ts';
import { followJourneys, latenciesOf, type Journey, type Journeys } from './journeys.ts';
import type { IsolateOptions } from './isolate.ts';
import { median } from './median.ts';
import { runOpenLoop } from './open-loop.ts';
import { percentilesOf } from './percentiles.ts';
import { startPour } from './pour.ts';
import { startReceiverProcess, type ReceiverProcess } from '../support/receiver-process.ts';
import { columns, count, mediansOf, ms, type BenchReport } from './report.ts';
import { startWorkers } from './worker-process.ts';

export const floodHelp = `flood     an account with 20 endpoints and --rate deliveries/s: what it notices, from commit to receipt, when another
          account pours --deliveries, 10,000 a second, into one endpoint that answers after 20 ms. Control: the same without`;

export interface FloodOptions extends IsolateOptions {
  /** Poured, 10,000 a second. */
  deliveries: number;
}

/** Milliseconds from commit to receipt of the quiet account's deliveries, and how the flood fared. */
interface Figures {
  p50: number;
  p95: number;
  p99: number;
  max: number;
  /** Of those committed while the flood was poured, and of the others. */
  pouringP99: number;
  laterP99: number;
  quietLeft: number;
  floodLeft: number;
  /** Time in which the other process committed the whole flood. */
  pouring: number;
  behind: number;
}

interface Bench extends FloodOptions {
  world: DeliveryBenchWorld;
  receiver: ReceiverProcess;
  url: string;
}

const endpointCount = 20;
const warmUpSeconds = 5;
const arriveWithinMs = 5000;

export async function benchFlood(options: FloodOptions): Promise<BenchReport> {
  await using opened = new AsyncDisposableStack();
  const { database, url } = opened.use(await openBenchDatabase());
  const world = opened.use(createDeliveryBenchWorld({ database, url }));
  const receiver = opened.use(
    await startReceiverProcess({ receivers: endpointCount + 1, record: 'arrivals' }),
  );
  const bench: Bench = { ...options, world, receiver, url };
  // Nothing of this counts: what a machine and its database do for the first time is slower.
  await measure({ ...bench, seconds: warmUpSeconds }, 0);
  const control: Figures[] = [];
  const flooded: Figures[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    control.push(await measure(bench, 0));
    flooded.push(await measure(bench, options.deliveries));
  }
  const result = {
    control: mediansOf(control),
    flooded: mediansOf(flooded),
    ratioP99: median(flooded.map(({ p99 }, round) => p99 / control[round]!.p99)),
  };
  return {
    figures: result,
    text: describe(options, result),
    targets: [
      { name: "p99 to the control's", figure: result.ratioP99, is: 'at most', target: 1.5, accepted: 2 },
    ],
  };
}

async function measure({ world, receiver, url, ...options }: Bench, poured: number): Promise<Figures> {
  const { perSecond, seconds, workers, concurrency } = options;
  await using started = new AsyncDisposableStack();
  const [floodOrigin, ...origins] = receiver.origins;
  const [flooded] = await world.createAccount([`${floodOrigin}/slow/20/flood`]);
  const endpoints = await world.createAccount(origins.map((origin) => `${origin}/ok/hook`));
  started.use(await startWorkers(world, workers, concurrency));
  const pour = started.use(await startPour({ url, encryptionKey: world.encryptionKey, endpoint: flooded! }));

  const load = (journeys: Journeys, loadSeconds: number) =>
    runOpenLoop({
      perSecond,
      seconds: loadSeconds,
      arrive: async (index) => journeys.depart(await world.enqueue([endpoints[index % endpointCount]!])),
    });
  await load(followJourneys(receiver), warmUpSeconds);
  const startedAt = clockMs();
  const journeys = followJourneys(receiver);
  const [{ latestMs: behind }, pouring] = await Promise.all([load(journeys, seconds), pour.run(poured)]);
  const quiet = await journeys.untilArrived(arriveWithinMs);
  const waiting = await world.countWaiting();
  const { p50, p95, p99, max } = percentilesOf(latenciesOf(quiet));
  await started.disposeAsync();
  await world.emptyQueue();
  const isMeanwhile = ({ committedMs }: Journey): boolean => poured > 0 && committedMs < startedAt + pouring;
  const p99Of = (journeys: readonly Journey[]): number => percentilesOf(latenciesOf(journeys)).p99;
  return {
    p50,
    p95,
    p99,
    max,
    pouringP99: p99Of(quiet.filter(isMeanwhile)),
    laterP99: p99Of(quiet.filter((journey) => !isMeanwhile(journey))),
    quietLeft: quiet.filter(({ receivedMs }) => receivedMs === undefined).length,
    floodLeft: waiting.get(flooded!.endpointId) ?? 0,
    pouring,
    behind,
  };
}

interface Result {
  control: Figures;
  flooded: Figures;
  ratioP99: number;
}

function describe(options: FloodOptions, { control, flooded, ratioP99 }: Result): string {
  const row = (name: string, figures: Figures): string[] => [
    name,
    ...[figures.p50, figures.p95, figures.p99, figures.max, figures.pouringP99, figures.laterP99].map(ms),
    count(figures.quietLeft),
    count(figures.floodLeft),
    ms(figures.pouring),
    ms(figures.behind),
  ];
  return [
    `flood: ${count(options.perSecond)} deliveries/s of one account, ${count(options.deliveries)} at once of another, ` +
      `${options.workers} worker process(es), ${options.seconds} s; commit to receipt of the first account`,
    columns([
      [
        '',
        'p50',
        'p95',
        'p99',
        'max',
        'p99 meanwhile',
        'p99 after',
        'left',
        'flood left',
        'pouring',
        'bench behind',
      ],
      row('no flood', control),
      row('flood', flooded),
    ]),
    `  p99 to the control's: ${ratioP99.toFixed(2)}`,
  ].join('\n');
}
