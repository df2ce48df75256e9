import { createId, type Database } from '@service/database';
import { startAnswering } from '../support/answering-process.ts';

export interface BareDelivery extends AsyncDisposable {
  /** Commits one row, then notifies the other process. Returns its id, in a list, as soon as it is committed. */
  enqueue(url: string): Promise<string[]>;
}

/** The least there can be between a commit and a receiver: a row, a NOTIFY, a process that takes the one and posts it. */
export async function startBareDelivery({ pool }: Database, databaseUrl: string): Promise<BareDelivery> {
  await pool.query(
    'create table if not exists public.bench_outbox (id uuid primary key, url text not null, body text not null)',
  );
  const child = await startAnswering(new URL('latency-ceiling-process.ts', import.meta.url), [databaseUrl]);
  const body = JSON.stringify({ event: 'registered', padding: 'x'.repeat(980) });
  return {
    async enqueue(url) {
      const id = createId();
      await pool.query({
        name: 'bench.insert',
        text: 'insert into public.bench_outbox values ($1, $2, $3)',
        values: [id, url, body],
      });
      void pool.query({ name: 'bench.notify', text: `select pg_notify('bench_outbox', $1)`, values: [id] });
      return [id];
    },
    async [Symbol.asyncDispose]() {
      child[Symbol.dispose]();
      await pool.query('drop table public.bench_outbox');
    },
  };
}
