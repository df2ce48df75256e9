// npm run bench -- NAME [options]: measures one thing beside its ceiling, in the same run on the same machine.
import { parseArgs } from 'node:util';
import { activityHelp, benchActivity } from './activity.ts';
import { attendHelp, benchAttend } from './attend.ts';
import { benchDeliver, deliverHelp } from './deliver.ts';
import { benchFlood, floodHelp } from './flood.ts';
import { benchGrow, growHelp } from './grow.ts';
import { benchIsolate, isolateHelp } from './isolate.ts';
import { benchLatency, latencyHelp } from './latency.ts';
import { benchMemory, memoryHelp } from './memory.ts';
import { benchOverhead, overheadHelp } from './overhead.ts';
import { benchRead, readHelp } from './read.ts';
import { describeTargets, isAccepted, type BenchReport } from './report.ts';
import { benchWrite, writeHelp } from './write.ts';

const help = `Usage: npm run bench -- NAME [options]

${deliverHelp}

${isolateHelp}

${floodHelp}

${latencyHelp}

${growHelp}

${memoryHelp}

${readHelp}

${writeHelp}

${activityHelp}

${attendHelp}

${overheadHelp}

Options:
  --json                 one JSON object on standard output and nothing else there
  --rounds N             rounds of each measurement; medians are reported (3)
  --seconds N            of each measurement at a constant rate (25)
  --minutes N            that memory is watched for (10)
  --rate N               deliveries per second (isolate 400, flood 200, latency 500, memory 300)
  --workers N            worker processes of isolate, flood and latency (1)
  --deliveries N         deliveries in each round of deliver and grow (20000), or of the flood (100000)
  --concurrency N        requests in flight of each worker (128)
  --requests N           requests in each round of read, write and overhead (6000)
  --rows N               calls that activity is measured with (1000000), deliveries that grow is (10000000)
  --help

Each figure is printed with its target and with what is accepted until it is met; exit code 1 when one is worse than that.

DATABASE_URL names a scratch database to use (it is migrated and filled); unset, a PostgreSQL of its own is started.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    minutes: { type: 'string' },
    rate: { type: 'string' },
    workers: { type: 'string' },
    deliveries: { type: 'string' },
    concurrency: { type: 'string' },
    requests: { type: 'string' },
    rows: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || positionals.length === 0) {
  console.log(help);
  process.exit(values.help ? 0 : 1);
}

const number = (name: Exclude<keyof typeof values, 'json' | 'help'>, fallback: number): number => {
  const given = Number(values[name] ?? fallback);
  if (given > 0) return given;
  console.error(`--${name} must be a number above 0.`);
  return process.exit(1);
};
const rounds = number('rounds', 3);
const requests = number('requests', 6000);
const seconds = number('seconds', 25);
const concurrency = number('concurrency', 128);
const load = { rounds, seconds, workers: number('workers', 1), concurrency };
const perSecond = (fallback: number) => ({ perSecond: number('rate', fallback) });
const deliveries = (fallback: number) => ({ deliveries: number('deliveries', fallback) });
const rows = (fallback: number) => ({ rows: number('rows', fallback) });

const benches: Record<string, () => Promise<BenchReport>> = {
  deliver: () => benchDeliver({ rounds, concurrency, ...deliveries(20_000) }),
  isolate: () => benchIsolate({ ...load, ...perSecond(400) }),
  flood: () => benchFlood({ ...load, ...perSecond(200), ...deliveries(100_000) }),
  latency: () => benchLatency({ ...load, ...perSecond(500) }),
  grow: () => benchGrow({ rounds, concurrency, ...deliveries(20_000), ...rows(10_000_000) }),
  memory: () => benchMemory({ concurrency, minutes: number('minutes', 10), ...perSecond(300) }),
  read: () => benchRead({ rounds, requests, concurrency: 16 }),
  write: () => benchWrite({ rounds, requests, concurrency: 16 }),
  attend: () => benchAttend({ rounds }),
  overhead: () => benchOverhead({ rounds, requests }),
  activity: () => benchActivity({ rounds, ...rows(1_000_000) }),
};

const bench = positionals.length === 1 ? benches[positionals[0]!] : undefined;
if (!bench) {
  console.error(`There is no bench named ${positionals.join(' ')}.\n\n${help}`);
  process.exit(1);
}
const { figures, text, targets } = await bench();
const rejected = targets.filter((target) => !isAccepted(target));
if (values.json) console.log(JSON.stringify({ bench: positionals[0], options: values, ...figures, targets }));
else console.log(`${text}\n${describeTargets(targets)}`);
process.exitCode = rejected.length === 0 ? 0 : 1;
