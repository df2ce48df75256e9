// Stands in for the API and the worker. Notes what happens to it, one line each, in NOTES.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Client } from 'pg';

const [name = '', ...traits] = process.argv.slice(2);
const note = (event: string) => appendFileSync(process.env.NOTES ?? '', `${name} ${event}\n`);

if (traits.includes('serves')) {
  createServer((_request, response) => response.end('ok')).listen(Number(process.env.PORT));
}
if (traits.includes('crashes')) setTimeout(() => process.exit(3), 100);
setInterval(() => {}, 60_000);

process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => {
  if (traits.includes('hangs')) note('ignored SIGTERM');
  else void stop();
});
// Printed last, because a test may send a signal as soon as it reads this.
note('started');

async function stop(): Promise<void> {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query('select 1');
  await client.end();
  note('stopped with its database');
  process.exit(0);
}
