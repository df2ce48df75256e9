import { measureBacklog } from './backlog.ts';
import { measureRounds, type Bench } from './bench.ts';
import { startCeilingProcess } from './ceiling.ts';
import { createDeliveryBenchWorld, draftTo } from './delivery-bench-world.ts';
import { startReceiverProcess } from '../support/receiver-process.ts';
import { atLeast, columns, count, mediansOf } from './report.ts';
import { startWorkers } from './worker-process.ts';

const shapes = [
  { endpoints: 1, processes: 1 },
  { endpoints: 1000, processes: 1 },
  { endpoints: 1000, processes: 2 },
];
const receiverPorts = 4;
const warmUp = 20_000;

export const deliver: Bench = {
  name: 'deliver',
  summary:
    'webhooks per second to a healthy receiver in another process, everything on (claim, signing, address guard, attempt rows, ' +
    'write-back): one worker process on a backlog for 1 and for 1,000 endpoints, and two for 1,000. Ceiling: as many bare undici loops ' +
    'that post the same body with a signature made once, no database, to the same receiver. Second ceiling: the same, each signed',
  async run({ database, url, rounds, concurrency, deliveries = 20_000, use }) {
    const world = use(createDeliveryBenchWorld({ database, url }));
    const receiver = use(await startReceiverProcess({ receivers: receiverPorts, record: 'arrivals' }));
    const ceilings = [use(await startCeilingProcess()), use(await startCeilingProcess())];

    const measureShape = async ({ endpoints: length, processes }: (typeof shapes)[number]) => {
      const origins = receiver.origins.slice(0, length);
      const urls = Array.from({ length }, (_, index) => `${origins[index % origins.length]}/ok/${index}`);
      const backlog = { world, receiver, endpoints: await world.createAccount(urls), deliveries };
      const { body } = draftTo(backlog.endpoints[0]!);
      const runCeilings = async (signEach: boolean): Promise<number> => {
        const load = { urls, body, requests: deliveries / processes, concurrency, signEach };
        const rates = await Promise.all(ceilings.slice(0, processes).map((ceiling) => ceiling.measure(load)));
        return rates.reduce((sum, rate) => sum + rate, 0);
      };
      const measured = await measureRounds(rounds, async () => {
        const [ceiling, signing] = [await runCeilings(false), await runCeilings(true)];
        await using started = await startWorkers(world, processes, concurrency);
        const { workers } = started;
        // The first run of a process is slower and does not count.
        await measureBacklog({ ...backlog, deliveries: Math.min(deliveries, warmUp) }, workers);
        const figures = await measureBacklog(backlog, workers);
        const { perSecond } = figures;
        return {
          ...figures,
          ceiling,
          signing,
          ratio: perSecond / ceiling,
          signingRatio: perSecond / signing,
        };
      });
      return { endpoints: length, processes, ...mediansOf(measured) };
    };
    const results: Awaited<ReturnType<typeof measureShape>>[] = [];
    for (const shape of shapes) results.push(await measureShape(shape));
    const [, one, two] = results;
    return {
      figures: { results },
      text: [
        'deliver, per second, beside as many bare loops; CPU microseconds for one delivery',
        columns([
          [
            'endpoints',
            'processes',
            'deliveries',
            'bare',
            'ratio',
            'signing',
            'ratio',
            'worker',
            'Postgres',
            'receiver',
          ],
          ...results.map((result) => [
            count(result.endpoints),
            count(result.processes),
            count(result.perSecond),
            count(result.ceiling),
            result.ratio.toFixed(2),
            count(result.signing),
            result.signingRatio.toFixed(2),
            ...[result.workerCpu, result.postgresCpu, result.receiverCpu].map(count),
          ]),
        ]),
        `  two processes to one: ${(two!.perSecond / one!.perSecond).toFixed(2)}, of the bare loops ${(two!.ceiling / one!.ceiling).toFixed(2)}`,
      ].join('\n'),
      targets: results
        .filter(({ processes }) => processes === 1)
        .map(({ endpoints, ratio }) =>
          atLeast(`ratio with ${count(endpoints)} endpoint(s)`, ratio, 0.6, 0.3),
        ),
    };
  },
};
