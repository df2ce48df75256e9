import { openBenchDatabase } from './bench-database.ts';
import { clockMs } from '../support/clock-ms.ts';
import {
  createDeliveryBenchWorld,
  type BenchEndpoint,
  type DeliveryBenchWorld,
} from './delivery-bench-world.ts';
import { followJourneys, latenciesOf, type Journey, type Journeys } from './journeys.ts';
import { median } from './median.ts';
import { runOpenLoop } from './open-loop.ts';
import { percentilesOf } from './percentiles.ts';
import { startReceiverProcess, type ReceiverProcess } from '../support/receiver-process.ts';
import { columns, count, mediansOf, ms, type BenchReport } from './report.ts';
import { startWorkers } from './worker-process.ts';

export const isolateHelp = `isolate   100 endpoints in 10 accounts, --rate deliveries/s in all: latency of the 90 healthy endpoints, from commit to
          receipt, when the others, one of each account, accept requests and never answer.
          Control: the same with none hanging`;

export interface IsolateOptions {
  rounds: number;
  /** Measured in each run, after a warm-up. */
  seconds: number;
  perSecond: number;
  workers: number;
  concurrency: number;
}

/** Milliseconds from commit to receipt of the healthy endpoints' deliveries, and what was left over. */
interface Figures {
  p50: number;
  p95: number;
  p99: number;
  max: number;
  /** Of those committed in the first ten seconds of hanging, before the first deadline has passed, and of the others. */
  firstP99: number;
  laterP99: number;
  healthyLeft: number;
  hangingLeft: number;
  /** The longest that the bench itself was late. */
  behind: number;
}

interface Bench extends IsolateOptions {
  world: DeliveryBenchWorld;
  receiver: ReceiverProcess;
}

const accountCount = 10;
const endpointsEach = 10;
const batch = 4;
const warmUpSeconds = 5;
const deadlineMs = 10_000;
const arriveWithinMs = 5000;

export async function benchIsolate(options: IsolateOptions): Promise<BenchReport> {
  await using opened = new AsyncDisposableStack();
  const { database, url } = opened.use(await openBenchDatabase());
  const world = opened.use(createDeliveryBenchWorld({ database, url }));
  const receiver = opened.use(
    await startReceiverProcess({ receivers: accountCount * endpointsEach, record: 'arrivals' }),
  );
  const bench: Bench = { ...options, world, receiver };
  // The first run is slower and does not count.
  await measure({ ...bench, seconds: warmUpSeconds }, false);
  const control: Figures[] = [];
  const hanging: Figures[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    control.push(await measure(bench, false));
    hanging.push(await measure(bench, true));
  }
  const result = {
    control: mediansOf(control),
    hanging: mediansOf(hanging),
    ratioP99: median(hanging.map(({ p99 }, round) => p99 / control[round]!.p99)),
  };
  return {
    figures: result,
    text: describe(options, result),
    targets: [
      { name: "p99 to the control's", figure: result.ratioP99, is: 'at most', target: 1.5, accepted: 1.5 },
      { name: 'p99 in ms', figure: result.hanging.p99, is: 'at most', target: 1000, accepted: 1000 },
    ],
  };
}

async function measure({ world, receiver, ...options }: Bench, isHanging: boolean): Promise<Figures> {
  const { perSecond, seconds, workers, concurrency } = options;
  await using started = new AsyncDisposableStack();
  await receiver.setHanging(false);
  const accounts = await createAccounts(world, receiver);
  const hangingIds = new Set(accounts.map(([first]) => first!.endpointId));
  started.use(await startWorkers(world, workers, concurrency));

  const load = async (journeys: Journeys, loadSeconds: number) =>
    runOpenLoop({
      perSecond: perSecond / batch,
      seconds: loadSeconds,
      async arrive(index) {
        const endpoints = accounts[index % accountCount]!;
        const first = Math.floor(index / accountCount) * batch;
        const chosen = Array.from({ length: batch }, (_, k) => endpoints[(first + k) % endpointsEach]!);
        const ids = await world.enqueue(chosen);
        journeys.depart(ids.filter((_id, k) => !hangingIds.has(chosen[k]!.endpointId)));
      },
    });

  await load(followJourneys(receiver), warmUpSeconds);
  await receiver.setHanging(isHanging);
  const startedAt = clockMs();
  const journeys = followJourneys(receiver);
  const { latestMs: behind } = await load(journeys, seconds);
  const healthy = await journeys.untilArrived(arriveWithinMs);
  const isFirst = ({ committedMs }: Journey): boolean => committedMs < startedAt + deadlineMs;
  const { p50, p95, p99, max } = percentilesOf(latenciesOf(healthy));
  const figures = {
    p50,
    p95,
    p99,
    max,
    firstP99: percentilesOf(latenciesOf(healthy.filter(isFirst))).p99,
    laterP99: percentilesOf(latenciesOf(healthy.filter((journey) => !isFirst(journey)))).p99,
    healthyLeft: healthy.filter(({ receivedMs }) => receivedMs === undefined).length,
    hangingLeft: await countWaitingFor(world, hangingIds),
    behind,
  };
  await started.disposeAsync();
  await world.emptyQueue();
  return figures;
}

/** Endpoints on ports of their own; the first of each account can be made to hang. */
async function createAccounts(
  world: DeliveryBenchWorld,
  receiver: ReceiverProcess,
): Promise<BenchEndpoint[][]> {
  const accounts: BenchEndpoint[][] = [];
  for (let account = 0; account < accountCount; account += 1) {
    const origins = receiver.origins.slice(account * endpointsEach, (account + 1) * endpointsEach);
    accounts.push(
      await world.createAccount(
        origins.map((origin, index) => `${origin}/${index === 0 ? 'may-hang' : 'ok'}/hook`),
      ),
    );
  }
  return accounts;
}

async function countWaitingFor(world: DeliveryBenchWorld, endpointIds: ReadonlySet<string>): Promise<number> {
  let sum = 0;
  for (const [endpointId, waiting] of await world.countWaiting())
    if (endpointIds.has(endpointId)) sum += waiting;
  return sum;
}

interface Result {
  control: Figures;
  hanging: Figures;
  ratioP99: number;
}

function describe(options: IsolateOptions, { control, hanging, ratioP99 }: Result): string {
  const row = (name: string, figures: Figures): string[] => [
    name,
    ...[figures.p50, figures.p95, figures.p99, figures.max, figures.firstP99, figures.laterP99].map(ms),
    count(figures.healthyLeft),
    count(figures.hangingLeft),
    ms(figures.behind),
  ];
  return [
    `isolate: ${count(options.perSecond)} deliveries/s to 100 endpoints, ${options.workers} worker process(es), ${options.seconds} s; ` +
      'commit to receipt of the 90 healthy ones',
    columns([
      [
        '',
        'p50',
        'p95',
        'p99',
        'max',
        'p99 first 10 s',
        'p99 after',
        'healthy left',
        'others left',
        'bench behind',
      ],
      row('none hang', control),
      row('10 % hang', hanging),
    ]),
    `  p99 to the control's: ${ratioP99.toFixed(2)}`,
  ].join('\n');
}
