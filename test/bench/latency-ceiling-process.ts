// Waits for a NOTIFY, takes the row that it names and posts it.
import pg from 'pg';
import { Agent, request } from 'undici';
import { answerParent } from '../support/answering-process.ts';

const pool = new pg.Pool({ connectionString: process.argv[2]!, max: 10 });
const listener = new pg.Client({ connectionString: process.argv[2]! });
const dispatcher = new Agent();

await listener.connect();
listener.on('notification', ({ payload }) => void deliver(payload!));
await listener.query('listen bench_outbox');
answerParent('listening', () => undefined);

async function deliver(id: string): Promise<void> {
  const { rows } = await pool.query<{ url: string; body: string }>({
    name: 'bench.take',
    text: 'delete from public.bench_outbox where id = $1 returning url, body',
    values: [id],
  });
  const headers = { 'content-type': 'application/json', 'webhook-id': id };
  const answer = await request(rows[0]!.url, { dispatcher, method: 'POST', headers, body: rows[0]!.body });
  await answer.body.dump();
}
