import { readFile } from 'node:fs/promises';
import { clockMs } from '../support/clock-ms.ts';
import type { Bench } from './bench.ts';
import { createDeliveryBenchWorld, type BenchEndpoint } from './delivery-bench-world.ts';
import { median } from './median.ts';
import { runOpenLoop } from './open-loop.ts';
import { startReceiverProcess } from '../support/receiver-process.ts';
import { atMost, columns, count } from './report.ts';

interface Sample {
  /** Since the load began. */
  minutes: number;
  megabytes: number;
  /** Receipts so far, retries too. */
  received: number;
}

const endpointCount = 100;
const accountCount = 10;

export const memory: Bench = {
  name: 'memory',
  summary:
    'resident memory of one worker process under --rate deliveries/s for --minutes: at the end beside the first minute. One endpoint ' +
    'in ten refuses, and one in ten answers after two seconds',
  async run({ database, url, concurrency, minutes, rate: perSecond = 300, say, use }) {
    const world = use(createDeliveryBenchWorld({ database, url }));
    const receiver = use(await startReceiverProcess({ receivers: endpointCount, record: 'arrivals' }));
    const paths = receiver.origins.map((origin, index) => `${origin}/${kindOf(index)}/hook`);
    const endpoints: BenchEndpoint[] = [];
    for (let account = 0; account < accountCount; account += 1)
      endpoints.push(...(await world.createAccount(paths.slice(account * 10, account * 10 + 10))));
    const worker = use(await world.startWorker(concurrency));

    const samples: Sample[] = [];
    let received = 0;
    const startedAt = clockMs();
    const sample = async (): Promise<void> => {
      received += (await receiver.takeArrivals()).length;
      const megabytes = await residentMegabytes(worker.pid);
      samples.push({ minutes: (clockMs() - startedAt) / 60_000, megabytes, received });
      if (samples.length % 12 === 0) say(`${samples.length} of ${samplesInAll} samples`);
    };
    const sampleEvery = setInterval(() => void sample(), (minutes * 60_000) / samplesInAll);
    use(sampleEvery);
    await runOpenLoop({
      perSecond,
      seconds: minutes * 60,
      arrive: async (index) => void (await world.enqueue([endpoints[(index * 7) % endpointCount]!])),
    });
    clearInterval(sampleEvery);
    await sample();

    const result = summarize(samples, minutes);
    const shown = samples.filter((_sample, index) => index % 12 === 11);
    return {
      figures: { ...result, samples },
      text: [
        `memory: one worker process, ${count(perSecond)} deliveries/s for ${minutes} minute(s)`,
        columns([
          ['minute', 'resident MB', 'received'],
          ...shown.map(({ minutes: at, megabytes, received }) => [
            at.toFixed(2),
            megabytes.toFixed(1),
            count(received),
          ]),
        ]),
        `  first minute ${result.firstMegabytes.toFixed(1)} MB, end ${result.lastMegabytes.toFixed(1)} MB, ratio ${result.ratio.toFixed(2)}`,
      ].join('\n'),
      targets: [atMost('end to first minute', result.ratio, 1.1, 1.2)],
    };
  },
};

const samplesInAll = 120;

/** Of every ten endpoints the first refuses and the second is slow. */
function kindOf(index: number): string {
  if (index % 10 === 0) return 'refuse';
  return index % 10 === 1 ? 'slow/2000' : 'ok';
}

export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

interface Result {
  /** Of the first minute, or of the first tenth when that is less. */
  firstMegabytes: number;
  lastMegabytes: number;
  ratio: number;
}

/** Garbage collection moves the figure from second to second, hence the median of several samples. */
function summarize(samples: readonly Sample[], minutes: number): Result {
  const windowMinutes = Math.min(1, minutes / 10);
  const between = (from: number, to: number): number =>
    median(
      samples
        .filter((sample) => sample.minutes >= from && sample.minutes <= to)
        .map(({ megabytes }) => megabytes),
    );
  const firstMegabytes = between(windowMinutes, windowMinutes * 1.5);
  const lastMegabytes = between(minutes - windowMinutes / 2, Infinity);
  return { firstMegabytes, lastMegabytes, ratio: lastMegabytes / firstMegabytes };
}
