import { randomUUID } from 'node:crypto';
import { activityModule, createActivityRecorder } from '@service/activity';
import { createId, dropPartitionsBefore, type Database } from '@service/database';
import { createLog } from '@service/log';
import type { AnsweredCall } from '@service/surface';
import { measureRounds } from './bench.ts';
import { median } from './median.ts';
import { mediansOf } from './report.ts';

export interface Flush {
  name: string;
  /** Microseconds for one row of a full batch, from memory to committed. */
  us: number;
  /** The ceiling's to this one's. */
  ratio: number;
}

type Pool = Database['pool'];

const batchSize = 500;
const batches = 100;

/** The cost of recording a call, beside a bare insert of the same rows. */
export async function measureFlushes(database: Database, rounds: number): Promise<Flush[]> {
  const { pool } = database;
  const shapes: Record<string, () => Promise<number>> = {
    'ceiling: bare insert, primary key only': () => bareTime(pool),
    'recorded, one account': () => recordTime(pool, 1),
    'recorded, every call of another account': () => recordTime(pool, batchSize),
  };
  const measured = await measureRounds(rounds, async () => {
    const times: Record<string, number> = {};
    for (const [name, measure] of Object.entries(shapes)) times[name] = await measure();
    return times;
  });
  const times = Object.entries(mediansOf(measured));
  const [, ceilingUs] = times[0]!;
  return times.map(([name, us]) => ({ name, us, ratio: ceilingUs / us }));
}

async function recordTime(pool: Pool, accounts: number): Promise<number> {
  const log = createLog('bench', { level: 'warn' });
  const recorder = createActivityRecorder({ pool, log, alsoWrite: async () => undefined });
  const us = await batchTime(callsOf(accounts), async (calls) => {
    for (const call of calls) recorder.record(call);
    await recorder.flush();
  });
  await recorder.close();
  return us;
}

async function bareTime(pool: Pool): Promise<number> {
  await pool.query('create table public.bench_call (like activity.api_call, primary key (account_id, id))');
  const columns = (calls: readonly AnsweredCall[]): unknown[][] => [
    calls.map(({ principal }) => principal.accountId),
    calls.map(({ at }) => createId(at)),
    calls.map(({ principal }) => principal.surface),
    calls.map(({ status }) => status),
    calls.map(({ method }) => method),
    calls.map(({ path }) => path),
    calls.map(() => null),
    calls.map(({ replayed }) => replayed),
    calls.map(({ principal }) => principal.credentialId),
    calls.map(({ principal }) => principal.label),
    calls.map(({ durationMs }) => durationMs),
    calls.map(({ requestId }) => requestId),
  ];
  const us = await batchTime(callsOf(1), (calls) =>
    pool.query({
      name: 'bench.insert',
      text: `insert into public.bench_call select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::smallint[], $5::text[],
        $6::text[], $7::text[], $8::boolean[], $9::uuid[], $10::text[], $11::integer[], $12::text[])`,
      values: columns(calls),
    }),
  );
  await pool.query('drop table public.bench_call');
  return us;
}

async function batchTime(
  makeCalls: () => AnsweredCall[],
  write: (calls: AnsweredCall[]) => Promise<unknown>,
): Promise<number> {
  const times: number[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const calls = makeCalls();
    const started = performance.now();
    await write(calls);
    times.push(((performance.now() - started) * 1000) / batchSize);
  }
  return median(times);
}

/** Batches of calls, each account with four keys; some over MCP, one in a hundred failed. */
function callsOf(accounts: number): () => AnsweredCall[] {
  const keys = Array.from({ length: accounts * 4 }, () => createId());
  const accountIds = Array.from({ length: accounts }, () => randomUUID());
  return () =>
    Array.from({ length: batchSize }, (_, index) => ({
      principal: {
        kind: 'key',
        accountId: accountIds[index % accounts]!,
        credentialId: keys[index % keys.length]!,
        label: 'Production key',
        createdBy: { kind: 'operator' },
        expiresAt: null,
        scopes: new Set(),
        surfaces: ['rest', 'mcp'],
        surface: index % 3 === 0 ? 'mcp' : 'rest',
      },
      at: new Date(),
      status: index % 100 === 7 ? 422 : 200,
      method: 'POST',
      path: '/api/v1/webinars/019aa2c4-7a0e-7000-8000-3f1e5d6c7b8a/registrations',
      sender: { userAgent: 'crm-sync/1.0', address: '192.0.2.7', idempotencyKey: createId() },
      refusal:
        index % 100 === 7
          ? { code: 'validation_failed', fields: ['email'], messages: ['Must not be blank.'] }
          : undefined,
      replayed: false,
      durationMs: 12,
      requestId: createId(),
    }));
}

export interface Sweep {
  dropped: string[];
  sweepMs: number;
  writes: number;
  /** The longest that one insert took, in milliseconds, while nothing else ran and while the sweep ran. */
  longestBeforeMs: number;
  longestMeanwhileMs: number;
}

/** Drops the oldest days, one of them full, while a writer inserts one call after the other. */
export async function measureSweep(pool: Pool, now: Date): Promise<Sweep> {
  const writer = startWriter(pool);
  const measure = async (work: () => Promise<unknown>): Promise<number> => {
    writer.takeLongest();
    await work();
    return writer.takeLongest();
  };
  const longestBeforeMs = await measure(() => new Promise((resolve) => setTimeout(resolve, 1000)));
  const started = performance.now();
  let dropped: string[] = [];
  let sweepMs = 0;
  const longestMeanwhileMs = await measure(async () => {
    const before = new Date(now.getTime() - 88 * 86_400_000);
    // As many as one round of the worker drops.
    ({ dropped } = await dropPartitionsBefore(pool, activityModule.partitions, before));
    sweepMs = performance.now() - started;
  });
  return { dropped, sweepMs, writes: await writer.stop(), longestBeforeMs, longestMeanwhileMs };
}

function startWriter(pool: Pool) {
  let [isStopped, writes, longest] = [false, 0, 0];
  const run = async (): Promise<void> => {
    const client = await pool.connect();
    while (!isStopped) {
      const started = performance.now();
      await client.query(
        `insert into activity.api_call values ($1, $2, 'rest', 200, 'GET', '/', null, false, $1, 'Key', 1, $3)`,
        [randomUUID(), createId(), createId()],
      );
      longest = Math.max(longest, performance.now() - started);
      writes += 1;
    }
    client.release();
  };
  const ended = run();
  return {
    takeLongest(): number {
      const taken = longest;
      longest = 0;
      return taken;
    },
    async stop(): Promise<number> {
      isStopped = true;
      await ended;
      return writes;
    },
  };
}
