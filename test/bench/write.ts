import { randomBytes } from 'node:crypto';
import type { Database } from '@service/database';
import { measureRounds, type Bench } from './bench.ts';
import { postgresCpuMicroseconds, processCpuMicroseconds } from './cpu.ts';
import { createBenchWorld, type BenchWorld } from './bench-world.ts';
import { measureLoad, type LoadFigures } from './load.ts';
import { atLeast, count, mediansOf, ms } from './report.ts';
import { startServer } from './server.ts';
import { measureBareWrites, type BareWrite } from './write-ceiling.ts';

const concurrency = 16;

export const write: Bench = {
  name: 'write',
  summary:
    'registrations per second over HTTP into a webinar with two subscriptions: registration, event, two deliveries, two executions and a ' +
    'waiting mail in one transaction, everything on. Ceiling: a bare pg loop that writes the same rows',
  async run({ database, url, rounds, requests, use }) {
    const world = await createBenchWorld(database, 1);
    const { origin, pid } = use(await startServer('service', url));
    const cpuOf = async () => ({
      service: await processCpuMicroseconds(pid),
      postgres: await postgresCpuMicroseconds(database.pool),
    });
    const bareWrite = await subscribe(database, world, {
      origin,
      urls: ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/two'],
    });
    const measured = await measureRounds(rounds, async () => {
      const emailOf = emailsOf();
      const before = await cpuOf();
      const ceiling = await measureBareWrites(url, bareWrite, { writes: requests, concurrency, emailOf });
      const between = await cpuOf();
      const service = await measureRegistrations(world, origin, { requests, keyed: false });
      const after = await cpuOf();
      const keyed = await measureRegistrations(world, origin, { requests, keyed: true });
      return {
        ...service,
        ceiling,
        ratio: service.perSecond / ceiling,
        keyedPerSecond: keyed.perSecond,
        keyedRatio: keyed.perSecond / ceiling,
        serviceCpu: (after.service - between.service) / requests,
        postgresCpu: (after.postgres - between.postgres) / requests,
        ceilingPostgresCpu: (between.postgres - before.postgres) / requests,
      };
    });
    await requireSameRows(database, world, requests * (rounds + 1) * 3);
    const result = mediansOf(measured);
    return {
      figures: { result },
      text: [
        `write: ${count(result.perSecond)} registrations/s, p50 ${ms(result.p50)}, p99 ${ms(result.p99)}`,
        `  ceiling, a bare pg loop:     ${count(result.ceiling)}/s  ratio ${result.ratio.toFixed(2)}`,
        `  with an Idempotency-Key:     ${count(result.keyedPerSecond)}/s  ratio ${result.keyedRatio.toFixed(2)}`,
        `  CPU of a registration:       ${count(result.serviceCpu)} us of the API, ${count(result.postgresCpu)} us of Postgres (bare loop: ${count(result.ceilingPostgresCpu)} us)`,
      ].join('\n'),
      targets: [
        atLeast('ratio', result.ratio, 1.2, 0.45),
        atLeast('ratio with an Idempotency-Key', result.keyedRatio, 0.9, 0.33),
      ],
    };
  },
};

/** Makes a subscription to each URL over the API. */
export async function subscribe(
  database: Database,
  world: BenchWorld,
  { origin, urls }: { origin: string; urls: readonly string[] },
): Promise<BareWrite> {
  const [webinar] = world.webinars;
  for (const url of urls) {
    const answer = await fetch(`${origin}/api/v1/webinars/${webinar!.id}/webhooks`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url, eventTypes: ['registered'] }),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
  }
  const values = [world.accountId, webinar!.id];
  const rules = await database.pool.query(
    `select id, endpoint_id as "endpointId" from automations.rule where account_id = $1 and webinar_id = $2`,
    values,
  );
  const sessions = await database.pool.query<{ id: string }>(
    'select id from webinars.session where account_id = $1 and webinar_id = $2',
    values,
  );
  return {
    accountId: world.accountId,
    webinarId: webinar!.id,
    sessionId: sessions.rows[0]!.id,
    rules: rules.rows,
  };
}

function measureRegistrations(
  { key, webinars }: BenchWorld,
  origin: string,
  { requests, keyed }: { requests: number; keyed: boolean },
): Promise<LoadFigures> {
  const [webinar] = webinars;
  const emailOf = emailsOf();
  return measureLoad({
    origin,
    requests,
    concurrency,
    status: 201,
    request: (index) => ({
      method: 'POST',
      path: `/api/v1/webinars/${webinar!.id}/registrations`,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(keyed && { 'idempotency-key': emailOf(index) }),
      },
      body: JSON.stringify({
        name: 'Ada Lovelace',
        email: emailOf(index),
        sessionTime: webinar!.sessionTime,
      }),
    }),
  });
}

/** Addresses that no earlier run has used. */
export function emailsOf(): (index: number) => string {
  const run = randomBytes(6).toString('hex');
  return (index) => `ada-${run}-${index}@example.com`;
}

/** A ceiling that writes less would be none. */
async function requireSameRows(database: Database, { accountId }: BenchWorld, writes: number): Promise<void> {
  const expected = {
    'attendees.registration': writes,
    'attendees.attendee_event': writes,
    'deliveries.body': writes,
    'deliveries.delivery': writes * 2,
    'deliveries.due': writes * 2,
    'automations.execution': writes * 2,
    'mails.mail': writes,
    'mails.due': writes,
  };
  for (const [table, count] of Object.entries(expected)) {
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from ${table} where account_id = $1`,
      [accountId],
    );
    if (rows[0]!.count !== count) throw new Error(`${table} has ${rows[0]!.count} rows, not ${count}.`);
  }
}
