// Figures of healthy endpoints while others make trouble, beside the same load without trouble.
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

interface Trouble {
  run: BenchRun;
  headline: string;
  receivers: number;
  /** Names of the rows and of the columns in between. */
  words: { quiet: string; troubled: string; first: string; left: string; othersLeft: string };
  measure(
    parts: { world: DeliveryBenchWorld; receiver: ReceiverProcess; seconds: number },
    isTroubled: boolean,
  ): Promise<Figures>;
  targetsOf(result: { ratioP99: number; troubled: Figures }): Target[];
}

const warmUpSeconds = 2;
/** A run of three rounds ends within two minutes. Longer than the first part of the trouble, which is ten seconds. */
const secondsUsual = 12;

async function benchTrouble({ run, words, ...trouble }: Trouble): Promise<BenchReport> {
  const world = run.use(createDeliveryBenchWorld(run));
  const receiver = run.use(await startReceiverProcess({ receivers: trouble.receivers, record: 'arrivals' }));
  const rounds: { control: Figures; troubled: Figures }[] = [];
  const measure = async (isTroubled: boolean, seconds = run.seconds): Promise<Figures> => {
    run.say(`round ${rounds.length + 1}, ${isTroubled ? words.troubled : words.quiet}`);
    const figures = await trouble.measure({ world, receiver, seconds }, isTroubled);
    await world.emptyQueue();
    return figures;
  };
  // These deliveries are not measured: the first ones are slower, because caches and connections are cold.
  await measure(false, warmUpSeconds);
  while (rounds.length < run.rounds)
    rounds.push({ control: await measure(false), troubled: await measure(true) });
  const result = {
    control: mediansOf(rounds.map(({ control }) => control)),
    troubled: mediansOf(rounds.map(({ troubled }) => troubled)),
    ratioP99: median(rounds.map(({ control, troubled }) => troubled.p99 / control.p99)),
  };
  const row = (name: string, { left, othersLeft, pouring, behind, ...times }: Figures): string[] => [
    name,
    ...[times.p50, times.p95, times.p99, times.max, times.firstP99, times.laterP99].map(ms),
    count(left),
    count(othersLeft),
    ms(pouring),
    ms(behind),
  ];
  const heads = ['', 'p50', 'p95', 'p99', 'max', words.first, 'p99 after', words.left, words.othersLeft];
  return {
    figures: result,
    text: [
      `${trouble.headline}, ${run.workers} worker process(es), ${run.seconds} s; commit to receipt`,
      columns([
        [...heads, 'pouring', 'bench behind'],
        row(words.quiet, result.control),
        row(words.troubled, result.troubled),
      ]),
      `  p99 to the control's: ${result.ratioP99.toFixed(2)}`,
    ].join('\n'),
    targets: trouble.targetsOf(result),
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
      words: {
        quiet: 'none hang',
        troubled: '10 % hang',
        first: 'p99 first 10 s',
        left: 'healthy left',
        othersLeft: 'others left',
      },
      async measure({ world, receiver, seconds }, isHanging) {
        await receiver.setHanging(false);
        const accounts = await createAccounts(world, receiver);
        const hangingIds = new Set(accounts.map(([first]) => first!.endpointId));
        await using _workers = await startWorkers(world, run.workers, run.concurrency);
        const { splitP99, ...figures } = await followLoad({
          receiver,
          perSecond: (run.rate ?? 400) / batch,
          seconds,
          warmUpSeconds,
          begin: () => receiver.setHanging(isHanging),
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

export const flood: Bench = {
  name: 'flood',
  seconds: secondsUsual,
  summary:
    'an account with 20 endpoints and --rate deliveries/s: what it notices, from commit to receipt, when another account pours ' +
    '--deliveries, 10,000 a second, into one endpoint that answers after 20 ms. Control: the same without',
  run: (run) =>
    benchTrouble({
      run,
      headline: `flood: ${count(run.rate ?? 200)} deliveries/s of one account, ${count(run.deliveries ?? 100_000)} at once of another`,
      receivers: quietEndpoints + 1,
      words: {
        quiet: 'no flood',
        troubled: 'flood',
        first: 'p99 meanwhile',
        left: 'left',
        othersLeft: 'flood left',
      },
      async measure({ world, receiver, seconds }, isFlooded) {
        const [floodOrigin, ...origins] = receiver.origins;
        const [flooded] = await world.createAccount([`${floodOrigin}/slow/20/flood`]);
        const endpoints = await world.createAccount(origins.map((origin) => `${origin}/ok/hook`));
        await using _workers = await startWorkers(world, run.workers, run.concurrency);
        const { url } = run;
        using pour = await startPour({ url, encryptionKey: world.encryptionKey, endpoint: flooded! });
        let pouring = Promise.resolve(0);
        const { splitP99, ...figures } = await followLoad({
          receiver,
          perSecond: run.rate ?? 200,
          seconds,
          warmUpSeconds,
          begin: async () => void (pouring = pour.run(isFlooded ? (run.deliveries ?? 100_000) : 0)),
          commit: (index) => world.enqueue([endpoints[index % quietEndpoints]!]),
        });
        const pouringMs = await pouring;
        const waiting = await world.countWaiting();
        return {
          ...figures,
          ...splitP99(isFlooded ? pouringMs : 0),
          othersLeft: waiting.get(flooded!.endpointId) ?? 0,
          pouring: pouringMs,
        };
      },
      targetsOf: ({ ratioP99 }) => [atMost("p99 to the control's", ratioP99, 1.5, 2)],
    }),
};
