import { measureRounds, type Bench } from './bench.ts';
import { createDeliveryBenchWorld } from './delivery-bench-world.ts';
import { startBareDelivery } from './latency-ceiling.ts';
import { followLoad } from './load-to-receipt.ts';
import { startReceiverProcess } from '../support/receiver-process.ts';
import { atMost, columns, count, mediansOf, ms } from './report.ts';
import { startWorkers } from './worker-process.ts';

type Commit = (index: number) => Promise<string[]>;

const endpointCount = 20;
const warmUpSeconds = 1;
const targetsMs = { p50: 15, p95: 50, p99: 150 };

export const latency: Bench = {
  name: 'latency',
  summary:
    'from commit to receipt at a constant rate of transactions with one delivery each, 50/s, 300/s and --rate. Ceiling: a process that gets a ' +
    'NOTIFY after the commit of a row, takes the row and posts it, and nothing else',
  seconds: 3,
  async run({ database, url, rounds, seconds, workers, concurrency, rate = 500, use }) {
    const world = use(createDeliveryBenchWorld({ database, url }));
    const receiver = use(await startReceiverProcess({ receivers: endpointCount, record: 'arrivals' }));
    const urls = receiver.origins.map((origin) => `${origin}/ok/hook`);
    const endpoints = await world.createAccount(urls);

    const measure = async (perSecond: number, commit: Commit) => {
      const load = { receiver, perSecond, seconds, warmUpSeconds, commit };
      const { splitP99: _, ...figures } = await followLoad(load);
      return figures;
    };
    const measureCeiling = async (perSecond: number) => {
      await using bare = await startBareDelivery(database, url);
      return await measure(perSecond, (index) => bare.enqueue(urls[index % endpointCount]!));
    };
    const measureService = async (perSecond: number) => {
      await using _workers = await startWorkers(world, workers, concurrency);
      const figures = await measure(perSecond, (index) => world.enqueue([endpoints[index % endpointCount]!]));
      // Or the next worker would begin with what this one had sent and not recorded.
      await world.untilQueueIsEmpty();
      return figures;
    };
    const measureRate = async (perSecond: number) => {
      const measured = await measureRounds(rounds, async () => ({
        ceiling: await measureCeiling(perSecond),
        service: await measureService(perSecond),
      }));
      const ratios = measured.map(({ ceiling, service }) => ({
        ratioP50: service.p50 / ceiling.p50,
        ratioP99: service.p99 / ceiling.p99,
      }));
      return {
        perSecond,
        service: mediansOf(measured.map(({ service }) => service)),
        ceiling: mediansOf(measured.map(({ ceiling }) => ceiling)),
        ...mediansOf(ratios),
      };
    };
    const results: Awaited<ReturnType<typeof measureRate>>[] = [];
    for (const perSecond of new Set([50, 300, rate])) results.push(await measureRate(perSecond));
    const row = (name: string, { p50, p95, p99, left, behind }: (typeof results)[number]['service']) => [
      name,
      ...[p50, p95, p99].map(ms),
      count(left),
      ms(behind),
    ];
    return {
      figures: { results },
      text: [
        `latency: commit to receipt, ${workers} worker process(es), ${seconds} s at each rate`,
        columns([
          ['', 'p50', 'p95', 'p99', 'left', 'bench behind'],
          ...results.flatMap(({ perSecond, service, ceiling, ratioP50, ratioP99 }) => [
            row(`${count(perSecond)}/s`, service),
            row('  ceiling, NOTIFY and a bare POST', ceiling),
            ['  ratio', ratioP50.toFixed(2), '', ratioP99.toFixed(2), '', ''],
          ]),
        ]),
      ].join('\n'),
      targets: results.flatMap(({ perSecond, service, ratioP50, ratioP99 }) => [
        ...(['p50', 'p95', 'p99'] as const).map((name) =>
          atMost(`${name} in ms at ${count(perSecond)}/s`, service[name], targetsMs[name]),
        ),
        atMost(`p50 to the ceiling at ${count(perSecond)}/s`, ratioP50, 2, 7),
        atMost(`p99 to the ceiling at ${count(perSecond)}/s`, ratioP99, 3, 12),
      ]),
    };
  },
};
