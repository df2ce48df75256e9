// Figures of healthy endpoints while others make trouble, beside the same load without trouble.
import { openDatabaseBeside } from './bench-database.ts';
import type { Bench, BenchReport, BenchRun } from './bench.ts';
import {
  createDeliveryBenchWorld,
  type BenchEndpoint,
  type DeliveryBenchWorld,
} from './delivery-bench-world.ts';
import { followLoad } from './load-to-receipt.ts';
import { median } from './median.ts';
import { startPour } from './pour.ts';
import { startReceiverProcess, type ReceiverProcess } from '../support/receiver-process.ts';
import { atMost, columns, count, mediansOf, ms, type Target } from './report.ts';
import { startWorkers } from './worker-process.ts';

/** Milliseconds from commit to receipt of the healthy endpoints' deliveries. */
interface Figures {
  p50: number;
  p95: number;
  p99: number;
  max: number;
  /** Of those committed in the first part of the trouble, and of the others. */
  firstP99: number;
  laterP99: number;
  left: number;
  othersLeft: number;
  /** Time in which the trouble was made. */
  pouring: number;
  behind: number;
}

interface Trouble<Load extends string> {
  run: BenchRun;
  headline: string;
  receivers: number;
  /** In the order of their turns. The last is the trouble, and the one before is its control. */
  loads: readonly Load[];
  columns: { first: string; left: string; othersLeft: string };
  measure(
    parts: { world: DeliveryBenchWorld; receiver: ReceiverProcess; seconds: number },
    load: Load,
  ): Promise<Figures>;
  targetsOf(result: { ratioP99: number; troubled: Figures }): Target[];
}

const warmUpSeconds = 2;
/** Longer than the first part of the trouble, which is ten seconds. A run of three rounds ends within three minutes. */
const secondsUsual = 12;

async function benchTrouble<Load extends string>({
  run,
  loads,
  ...trouble
}: Trouble<Load>): Promise<BenchReport> {
  const world = run.use(createDeliveryBenchWorld(run));
  const receiver = run.use(await startReceiverProcess({ receivers: trouble.receivers, record: 'arrivals' }));
  const rounds: Figures[][] = [];
  const measure = async (load: Load, seconds = run.seconds): Promise<Figures> => {
    run.say(`round ${rounds.length + 1}, ${load}`);
    const figures = await trouble.measure({ world, receiver, seconds }, load);
    await world.emptyQueue();
    return figures;
  };
  // These deliveries are not measured: the first ones are slower, because caches and connections are cold.
  await measure(loads[0]!, warmUpSeconds);
  while (rounds.length < run.rounds) {
    const round: Figures[] = [];
    for (const load of loads) round.push(await measure(load));
    rounds.push(round);
  }
  const byLoad = loads.map((load, index) => ({ load, ...mediansOf(rounds.map((round) => round[index]!)) }));
  const ratioP99 = median(rounds.map((round) => round.at(-1)!.p99 / round.at(-2)!.p99));
  const { first, left, othersLeft } = trouble.columns;
  return {
    figures: { byLoad, ratioP99 },
    text: [
      `${trouble.headline}, ${run.workers} worker process(es), ${run.seconds} s; commit to receipt`,
      columns([
        ['', 'p50', 'p95', 'p99', 'max', first, 'p99 after', left, othersLeft, 'pouring', 'bench behind'],
        ...byLoad.map((row) => [
          row.load,
          ...[row.p50, row.p95, row.p99, row.max, row.firstP99, row.laterP99].map(ms),
          count(row.left),
          count(row.othersLeft),
          ms(row.pouring),
          ms(row.behind),
        ]),
      ]),
      `  p99, ${loads.at(-1)} to ${loads.at(-2)}: ${ratioP99.toFixed(2)}`,
    ].join('\n'),
    targets: trouble.targetsOf({ ratioP99, troubled: byLoad.at(-1)! }),
  };
}

const accountCount = 10;
const endpointsEach = 10;
const batch = 4;
const deadlineMs = 10_000;

export const isolate: Bench = {
  name: 'isolate',
  seconds: secondsUsual,
  summary:
    '100 endpoints in 10 accounts, --rate deliveries/s in all: latency of the 90 healthy endpoints, from commit to receipt, when the ' +
    'others, one of each account, accept requests and never answer. Control: the same with none hanging',
  run: (run) =>
    benchTrouble({
      run,
      headline: `isolate: ${count(run.rate ?? 400)} deliveries/s to 100 endpoints; 90 are measured`,
      receivers: accountCount * endpointsEach,
      loads: ['none hang', '10 % hang'],
      columns: { first: 'p99 first 10 s', left: 'healthy left', othersLeft: 'others left' },
      async measure({ world, receiver, seconds }, load) {
        await receiver.setHanging(false);
        const accounts = await createAccounts(world, receiver);
        const hangingIds = new Set(accounts.map(([first]) => first!.endpointId));
        await using _workers = await startWorkers(world, run.workers, run.concurrency);
        const { splitP99, ...figures } = await followLoad({
          receiver,
          perSecond: (run.rate ?? 400) / batch,
          seconds,
          warmUpSeconds,
          begin: () => receiver.setHanging(load === '10 % hang'),
          async commit(index) {
            const endpoints = accounts[index % accountCount]!;
            const first = Math.floor(index / accountCount) * batch;
            const chosen = Array.from({ length: batch }, (_, k) => endpoints[(first + k) % endpointsEach]!);
            const ids = await world.enqueue(chosen);
            return ids.filter((_id, k) => !hangingIds.has(chosen[k]!.endpointId));
          },
        });
        const waiting = [...(await world.countWaiting())].filter(([id]) => hangingIds.has(id));
        const othersLeft = waiting.reduce((sum, [, each]) => sum + each, 0);
        return { ...figures, ...splitP99(deadlineMs), othersLeft, pouring: Number.NaN };
      },
      targetsOf: ({ ratioP99, troubled }) => [
        atMost("p99 to the control's", ratioP99, 1.5),
        atMost('p99 in ms', troubled.p99, 1000),
      ],
    }),
};

/** Endpoints on ports of their own; the first of each account can be made to hang. */
async function createAccounts(
  world: DeliveryBenchWorld,
  receiver: ReceiverProcess,
): Promise<BenchEndpoint[][]> {
  const accounts: BenchEndpoint[][] = [];
  for (let account = 0; account < accountCount; account += 1) {
    const origins = receiver.origins.slice(account * endpointsEach, (account + 1) * endpointsEach);
    const urls = origins.map((origin, index) => `${origin}/${index === 0 ? 'may-hang' : 'ok'}/hook`);
    accounts.push(await world.createAccount(urls));
  }
  return accounts;
}

const quietEndpoints = 20;
/** Deliveries of the flood before the measurement. */
const floodWarmUp = 8000;

export const flood: Bench = {
  name: 'flood',
  seconds: secondsUsual,
  summary:
    'an account with 20 endpoints and --rate deliveries/s: what it notices, from commit to receipt, when another account pours ' +
    '--deliveries, 10,000 a second, into one endpoint that answers after 20 ms. Control: the same flood in another database of the ' +
    'server with a worker of its own, which costs the machine as much. Shown too: the same without a flood',
  async run(run) {
    const beside = run.use(await openDatabaseBeside(run));
    const worldBeside = createDeliveryBenchWorld(beside);
    return benchTrouble({
      run,
      headline: `flood: ${count(run.rate ?? 200)} deliveries/s of one account, ${count(run.deliveries ?? 100_000)} at once of another`,
      receivers: quietEndpoints + 1,
      loads: ['no flood', 'flood elsewhere', 'flood'],
      columns: { first: 'p99 meanwhile', left: 'left', othersLeft: 'flood left' },
      async measure({ world, receiver, seconds }, load) {
        const [floodOrigin, ...origins] = receiver.origins;
        const isElsewhere = load === 'flood elsewhere';
        const [floodedWorld, url] = isElsewhere ? [worldBeside, beside.url] : [world, run.url];
        if (isElsewhere) await worldBeside.emptyQueue();
        const [flooded] = await floodedWorld.createAccount([`${floodOrigin}/slow/20/flood`]);
        const endpoints = await world.createAccount(origins.map((origin) => `${origin}/ok/hook`));
        await using _workers = await startWorkers(world, run.workers, run.concurrency);
        await using _others = await startWorkers(worldBeside, isElsewhere ? run.workers : 0, run.concurrency);
        using pour = await startPour({ url, encryptionKey: floodedWorld.encryptionKey, endpoint: flooded! });
        const poured = load === 'no flood' ? 0 : (run.deliveries ?? 100_000);
        // As in a worker that has run for a while, the code for many deliveries at once is compiled before the measurement.
        await pour.run(Math.min(floodWarmUp, poured));
        await floodedWorld.untilQueueIsEmpty();
        let pouring = Promise.resolve(0);
        const { splitP99, ...figures } = await followLoad({
          receiver,
          perSecond: run.rate ?? 200,
          seconds,
          warmUpSeconds,
          begin: async () => void (pouring = pour.run(poured)),
          commit: (index) => world.enqueue([endpoints[index % quietEndpoints]!]),
        });
        const pouringMs = await pouring;
        const waiting = await floodedWorld.countWaiting();
        return {
          ...figures,
          ...splitP99(poured > 0 ? pouringMs : 0),
          othersLeft: waiting.get(flooded!.endpointId) ?? 0,
          pouring: pouringMs,
        };
      },
      targetsOf: ({ ratioP99 }) => [atMost("p99 to the control's", ratioP99, 1.5, 2)],
    });
  },
};
