// npm run bench -- NAME [options]: measures one thing beside its ceiling, in the same run on the same machine.
import { describeOptions, readCommandLineOrExit, wrapBeside } from '@service/config';
import { activity } from './activity.ts';
import { attend } from './attend.ts';
import type { Bench } from './bench.ts';
import { openBenchDatabase } from './bench-database.ts';
import { contacts } from './contacts.ts';
import { dashboard } from './dashboard.ts';
import { deliver } from './deliver.ts';
import { door } from './door.ts';
import { grow } from './grow.ts';
import { latency } from './latency.ts';
import { mail } from './mail.ts';
import { mcp } from './mcp.ts';
import { memory } from './memory.ts';
import { overhead } from './overhead.ts';
import { read } from './read.ts';
import { startProgress } from '../chaos/report.ts';
import { describeTargets, isAccepted } from './report.ts';
import { reminders } from './reminders.ts';
import { revenue } from './revenue.ts';
import { room } from './room.ts';
import { toolLimits } from './tool-limits.ts';
import { flood, isolate } from './trouble.ts';
import { write } from './write.ts';

const benches: Bench[] = [
  deliver,
  isolate,
  flood,
  latency,
  grow,
  memory,
  read,
  mcp,
  write,
  door,
  activity,
  attend,
  overhead,
  dashboard,
  revenue,
  mail,
  reminders,
  contacts,
  toolLimits,
  room,
];

const count = { type: 'number', min: 1, isWhole: true } as const;
const amount = { type: 'number', min: 0.1 } as const;

const options = {
  json: { type: 'flag', help: 'one JSON object on standard output and nothing else there' },
  rounds: { ...count, default: 3, help: 'rounds of each measurement; medians are reported' },
  seconds: {
    ...amount,
    help: 'of each measurement at a constant rate (25; isolate and flood 12, latency 3)',
  },
  minutes: { ...amount, default: 10, help: 'of the memory measurement' },
  rate: {
    ...amount,
    help: 'deliveries per second (isolate 400, flood 200, latency 500, memory 300), registrations per second of contacts (10)',
  },
  workers: { ...count, default: 1, help: 'worker processes of isolate, flood and latency' },
  deliveries: {
    ...count,
    help: 'deliveries in each round of deliver and grow (20000), or of the flood (100000)',
  },
  concurrency: { ...count, default: 128, help: 'requests in flight of each worker' },
  requests: {
    ...count,
    default: 6000,
    help: 'requests in each round of read, mcp, write, door, overhead and revenue, mails of mail and reminders, people of tool-limits',
  },
  rows: {
    ...count,
    help: 'stored calls for activity, deliveries for dashboard, events for revenue (1000000), deliveries for grow (10000000)',
  },
} as const;

const help = `Usage: npm run bench -- NAME [options]

${benches.map(({ name, summary }) => `  ${wrapBeside(name.padEnd(10), summary)}`).join('\n\n')}

Options:
${describeOptions(options)}

Each figure is printed with its target and with the limit that is accepted until the target is met; exit code 1 when a figure is worse than that.

DATABASE_URL names a scratch database to use (it is migrated and filled); unset, a PostgreSQL of its own is started.`;

const { values, names } = readCommandLineOrExit(help, {
  options,
  names: { noun: 'bench', known: benches.map(({ name }) => name) },
});
if (names.length !== 1) {
  console.error(`Name one bench.\n\n${help}`);
  process.exit(1);
}
const bench = benches.find(({ name }) => name === names[0])!;
await using opened = new AsyncDisposableStack();
const { database, url } = opened.use(await openBenchDatabase());
const progress = startProgress(bench.name);
const { figures, text, targets } = await bench.run({
  ...values,
  say: progress.say,
  seconds: values.seconds ?? bench.seconds ?? 25,
  database,
  url,
  use: (part) => opened.use(part),
});
progress.end();
if (values.json) console.log(JSON.stringify({ bench: bench.name, options: values, ...figures, targets }));
else console.log(`${text}\n${describeTargets(targets)}`);
process.exitCode = targets.every(isAccepted) ? 0 : 1;
