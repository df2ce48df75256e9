// npm run bench -- NAME [options]: measures one thing beside its ceiling, in the same run on the same machine.
import { describeOptions, readCommandLineOrExit, type CommandValues } from '@service/config';
import { activityHelp, benchActivity } from './activity.ts';
import { attendHelp, benchAttend } from './attend.ts';
import { benchDashboard, dashboardHelp } from './dashboard.ts';
import { benchDeliver, deliverHelp } from './deliver.ts';
import { benchFlood, floodHelp } from './flood.ts';
import { benchGrow, growHelp } from './grow.ts';
import { benchIsolate, isolateHelp } from './isolate.ts';
import { benchLatency, latencyHelp } from './latency.ts';
import { benchMcp, mcpHelp } from './mcp.ts';
import { benchMemory, memoryHelp } from './memory.ts';
import { benchOverhead, overheadHelp } from './overhead.ts';
import { benchRead, readHelp } from './read.ts';
import { describeTargets, isAccepted, type BenchReport } from './report.ts';
import { benchRevenue, revenueHelp } from './revenue.ts';
import { benchWrite, writeHelp } from './write.ts';

const count = { type: 'number', min: 1, isWhole: true } as const;
const amount = { type: 'number', min: 0.1 } as const;

const options = {
  json: { type: 'flag', help: 'one JSON object on standard output and nothing else there' },
  rounds: { ...count, default: 3, help: 'rounds of each measurement; medians are reported' },
  seconds: { ...amount, default: 25, help: 'of each measurement at a constant rate' },
  minutes: { ...amount, default: 10, help: 'of the memory measurement' },
  rate: { ...amount, help: 'deliveries per second (isolate 400, flood 200, latency 500, memory 300)' },
  workers: { ...count, default: 1, help: 'worker processes of isolate, flood and latency' },
  deliveries: {
    ...count,
    help: 'deliveries in each round of deliver and grow (20000), or of the flood (100000)',
  },
  concurrency: { ...count, default: 128, help: 'requests in flight of each worker' },
  requests: {
    ...count,
    default: 6000,
    help: 'requests in each round of read, mcp, write, overhead and revenue',
  },
  rows: {
    ...count,
    help: 'stored calls for activity, deliveries for dashboard, events for revenue (1000000), deliveries for grow (10000000)',
  },
} as const;

const help = `Usage: npm run bench -- NAME [options]

${deliverHelp}

${isolateHelp}

${floodHelp}

${latencyHelp}

${growHelp}

${memoryHelp}

${readHelp}

${mcpHelp}

${writeHelp}

${activityHelp}

${attendHelp}

${overheadHelp}

${dashboardHelp}

${revenueHelp}

Options:
${describeOptions(options)}

Each figure is printed with its target and with the limit that is accepted until the target is met; exit code 1 when a figure is worse than that.

DATABASE_URL names a scratch database to use (it is migrated and filled); unset, a PostgreSQL of its own is started.`;

type Values = CommandValues<typeof options>;

const benches: Record<string, (values: Values) => Promise<BenchReport>> = {
  deliver: ({ rounds, concurrency, deliveries = 20_000 }) =>
    benchDeliver({ rounds, concurrency, deliveries }),
  isolate: ({ rate: perSecond = 400, ...values }) => benchIsolate({ ...loadOf(values), perSecond }),
  flood: ({ rate: perSecond = 200, deliveries = 100_000, ...values }) =>
    benchFlood({ ...loadOf(values), perSecond, deliveries }),
  latency: ({ rate: perSecond = 500, ...values }) => benchLatency({ ...loadOf(values), perSecond }),
  grow: ({ rounds, concurrency, deliveries = 20_000, rows = 10_000_000 }) =>
    benchGrow({ rounds, concurrency, deliveries, rows }),
  memory: ({ concurrency, minutes, rate: perSecond = 300 }) =>
    benchMemory({ concurrency, minutes, perSecond }),
  read: ({ rounds, requests }) => benchRead({ rounds, requests, concurrency: 16 }),
  mcp: ({ rounds, requests }) => benchMcp({ rounds, requests, concurrency: 16 }),
  write: ({ rounds, requests }) => benchWrite({ rounds, requests, concurrency: 16 }),
  attend: ({ rounds }) => benchAttend({ rounds }),
  overhead: ({ rounds, requests }) => benchOverhead({ rounds, requests }),
  dashboard: ({ rounds, rows = 1_000_000, seconds }) => benchDashboard({ rounds, rows, seconds }),
  revenue: ({ rounds, requests, rows = 1_000_000 }) => benchRevenue({ rounds, requests, rows }),
  activity: ({ rounds, rows = 1_000_000 }) => benchActivity({ rounds, rows }),
};

type Load = Pick<Values, 'rounds' | 'seconds' | 'workers' | 'concurrency'>;

const loadOf = ({ rounds, seconds, workers, concurrency }: Load): Load => ({
  rounds,
  seconds,
  workers,
  concurrency,
});

const { values, names } = readCommandLineOrExit(help, {
  options,
  names: { noun: 'bench', known: Object.keys(benches) },
});
const [name] = names;
if (name === undefined || names.length > 1) {
  console.error(`Name one bench.\n\n${help}`);
  process.exit(1);
}
const { figures, text, targets } = await benches[name]!(values);
const rejected = targets.filter((target) => !isAccepted(target));
if (values.json) console.log(JSON.stringify({ bench: name, options: values, ...figures, targets }));
else console.log(`${text}\n${describeTargets(targets)}`);
process.exitCode = rejected.length === 0 ? 0 : 1;
