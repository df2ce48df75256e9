// npm run bench -- NAME [options]: measures one thing beside its ceiling, in the same run on the same machine.
import { parseArgs } from 'node:util';
import { benchDeliver, deliverHelp } from './deliver.ts';

const help = `Usage: npm run bench -- deliver [options]

${deliverHelp}

Options:
  --json                 one JSON object on standard output and nothing else there
  --rounds N             rounds of each measurement; medians are reported (3)
  --deliveries N         deliveries in each round (20000)
  --concurrency N        requests in flight (128)
  --help

DATABASE_URL names a scratch database to use (it is migrated and filled); unset, a PostgreSQL of its own is started.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    deliveries: { type: 'string', default: '20000' },
    concurrency: { type: 'string', default: '128' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || positionals.length === 0) {
  console.log(help);
  process.exit(values.help ? 0 : 1);
}
if (positionals[0] !== 'deliver' || positionals.length > 1) {
  console.error(`There is no bench named ${positionals.join(' ')}.\n\n${help}`);
  process.exit(1);
}

await benchDeliver({
  json: values.json,
  rounds: Number(values.rounds),
  deliveries: Number(values.deliveries),
  concurrency: Number(values.concurrency),
});
