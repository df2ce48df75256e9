import type { Bench } from './bench.ts';
import { measureInProcess, type InProcessFigures } from './deliver-in-process.ts';
import { measureProcesses, type ProcessFigures } from './deliver-processes.ts';
import { createDeliveryBenchWorld } from './delivery-bench-world.ts';
import { atLeast, columns, count } from './report.ts';

export interface DeliverOptions {
  rounds: number;
  deliveries: number;
  concurrency: number;
}

export const deliver: Bench = {
  name: 'deliver',
  summary:
    'webhooks per second to a healthy receiver in another process, everything on (claim, signing, address guard, attempt rows, ' +
    'write-back): one worker in this process for 1 and for 1,000 endpoints, then one and two worker processes on one backlog for 1,000. ' +
    'Ceiling: a bare undici loop that posts the same body with a signature made once, no database, to the same receiver. Second ' +
    'ceiling: the same, each signed',
  async run({ database, url, rounds, concurrency, deliveries = 20_000, use }) {
    const world = use(createDeliveryBenchWorld({ database, url }));
    const options: DeliverOptions = { rounds, concurrency, deliveries };
    const results = await measureInProcess(world, options);
    const processes = await measureProcesses(world, options);
    return {
      figures: { results, processes },
      text: [...results.map(describe), describeProcesses(processes)].join('\n'),
      targets: results.map(({ endpoints, ratio }) =>
        atLeast(`ratio with ${count(endpoints)} endpoint(s)`, ratio, 0.6, 0.28),
      ),
    };
  },
};

function describe(figures: InProcessFigures & { endpoints: number }): string {
  return [
    `deliver, ${count(figures.endpoints)} endpoint(s): ${count(figures.deliveries)} deliveries/s`,
    `  ceiling, a bare undici loop:        ${count(figures.ceiling)}/s  ratio ${figures.ratio.toFixed(2)}`,
    `  ceiling, the same with signing:     ${count(figures.signingCeiling)}/s  ratio ${figures.signingRatio.toFixed(2)}`,
    `  CPU microseconds for one delivery:  worker ${figures.workerCpu.toFixed(0)}, Postgres ${figures.postgresCpu.toFixed(0)}, ` +
      `receiver ${figures.receiverCpu.toFixed(0)}`,
  ].join('\n');
}

function describeProcesses({ one, two, scaling, ceilingScaling, ...figures }: ProcessFigures): string {
  return [
    'deliver, worker processes on one backlog, 1,000 endpoints',
    columns([
      ['processes', 'deliveries/s', 'as many bare loops', 'ratio', 'CPU us each'],
      ['one', count(one), count(figures.oneCeiling), figures.oneRatio.toFixed(2), figures.oneCpu.toFixed(0)],
      ['two', count(two), count(figures.twoCeiling), figures.twoRatio.toFixed(2), figures.twoCpu.toFixed(0)],
      ['two to one', scaling.toFixed(2), ceilingScaling.toFixed(2), (scaling / ceilingScaling).toFixed(2)],
    ]),
  ].join('\n');
}
