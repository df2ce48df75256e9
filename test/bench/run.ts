// npm run bench -- NAME [options]: measures one thing beside its ceiling, in the same run on the same machine.
import { parseArgs } from 'node:util';
import { activityHelp, benchActivity } from './activity.ts';
import { benchDeliver, deliverHelp } from './deliver.ts';
import { benchRead, readHelp } from './read.ts';
import { benchWrite, writeHelp } from './write.ts';

const help = `Usage: npm run bench -- NAME [options]

${deliverHelp}

${readHelp}

${writeHelp}

${activityHelp}

Options:
  --json                 one JSON object on standard output and nothing else there
  --rounds N             rounds of each measurement; medians are reported (3)
  --deliveries N         deliveries in each round (20000)
  --concurrency N        requests in flight (128)
  --requests N           requests in each round of read and write (6000)
  --rows N               calls that activity is measured with (1000000)
  --help

DATABASE_URL names a scratch database to use (it is migrated and filled); unset, a PostgreSQL of its own is started.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    deliveries: { type: 'string', default: '20000' },
    concurrency: { type: 'string', default: '128' },
    requests: { type: 'string', default: '6000' },
    rows: { type: 'string', default: '1000000' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || positionals.length === 0) {
  console.log(help);
  process.exit(values.help ? 0 : 1);
}

const { json } = values;
const rounds = Number(values.rounds);
const benches: Record<string, () => Promise<void>> = {
  deliver: () =>
    benchDeliver({
      json,
      rounds,
      deliveries: Number(values.deliveries),
      concurrency: Number(values.concurrency),
    }),
  read: () => benchRead({ json, rounds, requests: Number(values.requests), concurrency: 16 }),
  write: () => benchWrite({ json, rounds, requests: Number(values.requests), concurrency: 16 }),
  activity: () => benchActivity({ json, rounds, rows: Number(values.rows) }),
};

const bench = positionals.length === 1 ? benches[positionals[0]!] : undefined;
if (!bench) {
  console.error(`There is no bench named ${positionals.join(' ')}.\n\n${help}`);
  process.exit(1);
}
await bench();
