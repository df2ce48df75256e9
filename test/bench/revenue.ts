import { randomUUID } from 'node:crypto';
import type { Database } from '@service/database';
import { createKey } from '../support/factories.ts';
import { openBenchDatabase } from './bench-database.ts';
import { createBenchWorld } from './bench-world.ts';
import { mediansOf, columns, count, ms, type BenchReport, type Target } from './report.ts';
import { measureReads, type ReadFigures } from './revenue-reads.ts';
import { fillLedger, type FilledLedger } from './revenue-rows.ts';
import { measureBareRevenue, measureIntake, type Shop } from './revenue-writes.ts';
import { startServer } from './server.ts';
import { signUp } from './sign-up.ts';

export const revenueHelp = `revenue   purchases per second through the address of the generic source, each signed and sent alone: event, payment, credit
          of a registration, totals, everything on. Ceiling: a bare pg loop that writes the same rows, without totals.
          And summaries and first pages with --rows events, beside a ledger of 20,000 and an empty one`;

interface RevenueOptions {
  rounds: number;
  requests: number;
  rows: number;
}

const concurrency = 64;
const people = 1000;

/** Events of the small ledger. Each list has a full page in it, so that its answers are as long as those of the large one. */
const fewRows = 20_000;

interface WriteFigures {
  perSecond: number;
  p50: number;
  p99: number;
  ceiling: number;
  ratio: number;
}

export async function benchRevenue({ rounds, requests, rows }: RevenueOptions): Promise<BenchReport> {
  await using opened = new AsyncDisposableStack();
  const { database, url } = opened.use(await openBenchDatabase());
  const { origin } = opened.use(await startServer('service', url));
  const shop = await openShop(database, origin);

  const writes: WriteFigures[] = [];
  // The first round warms everything up and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    const load = { requests, concurrency, round: `round${round}` };
    const ceiling = await measureBareRevenue(url, shop, load);
    const intake = await measureIntake(origin, shop, load);
    if (round > 0) writes.push({ ...intake, ceiling, ratio: intake.perSecond / ceiling });
  }
  await requireRows(database, shop, requests * (rounds + 1));

  const ledgerOf = async (events: number): Promise<FilledLedger & { key: string }> => {
    const accountId = randomUUID();
    const { key } = await createKey(database, accountId);
    return { ...(await fillLedger(database.pool, accountId, events)), key };
  };
  const startedAt = performance.now();
  const many = await ledgerOf(rows);
  const fillSeconds = (performance.now() - startedAt) / 1000;
  const few = await ledgerOf(fewRows);
  const empty = await ledgerOf(0);
  const reads = await measureReads(origin, { many, few, empty }, rounds);
  const written = mediansOf(writes);
  return {
    figures: { written, fillSeconds, reads },
    text: describe(rows, written, reads),
    targets: targetsOf(written, reads),
  };
}

/** A workspace with a generic source and people who have registered, so that purchases are credited. */
async function openShop(database: Database, origin: string): Promise<Shop> {
  const { cookie, accountId } = await signUp(origin);
  const answer = await fetch(`${origin}/trpc/revenueSources.createSecret`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', cookie, 'x-workspace': accountId },
    body: '{}',
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const { result } = (await answer.json()) as { result: { data: { data: { secret: string } } } };
  const emailOf = (index: number): string => `person${index % people}@example.com`;
  const { webinars } = await createBenchWorld(database, 1, accountId);
  await database.pool.query(insertPeople, [
    accountId,
    webinars[0]!.id,
    Array.from({ length: people }, (_, index) => emailOf(index)),
  ]);
  await database.pool.query('vacuum analyze attendees.registration');
  return { accountId, secret: result.data.data.secret, emailOf };
}

const insertPeople = `
  insert into attendees.registration (account_id, id, webinar_id, session_id, name, email, source, registered_at)
  select $1, gen_random_uuid(), $2, (select id from webinars.session where account_id = $1 and webinar_id = $2 limit 1), 'Ada',
    email, 'api', now() - interval '1 hour'
  from unnest($3::text[]) as email`;

/** Throws when the two have not written the same numbers of rows, or when a purchase of the service has no credit. */
async function requireRows({ pool }: Database, { accountId }: Shop, expected: number): Promise<void> {
  const { rows } = await pool.query<{ provider: string; events: number }>(
    `select e.provider, count(*)::int as events from revenue.revenue_event e
     join revenue.credit c on c.account_id = e.account_id and c.id = e.id and c.level = 'registered'
     join revenue.payment p on p.account_id = e.account_id and p.id = e.id
     where e.account_id = $1 group by e.provider order by e.provider`,
    [accountId],
  );
  const found = rows.map(({ provider, events }) => `${provider} ${events}`).join(', ');
  if (found !== `bare ${expected}, generic ${expected}`)
    throw new Error(`Other rows than expected: ${found}`);
}

/** The reads that the target is for. */
const judged = ['summary', 'first page'];

/** A page of an empty ledger reads and writes no events. */
const acceptedBesideEmpty: Record<string, number> = { summary: 0.5, 'first page': 0.3 };

function targetsOf(written: WriteFigures, reads: readonly ReadFigures[]): Target[] {
  const others = reads.filter(({ name }) => !judged.includes(name));
  const target = { is: 'at least', target: 0.9 } as const;
  return [
    { name: 'intake, ratio', figure: written.ratio, is: 'at least', target: 0.5, accepted: 0.3 },
    ...judged.flatMap((name): Target[] => {
      const { besideFew, besideEmpty } = reads.find((read) => read.name === name)!;
      return [
        {
          name: `${name}, beside empty`,
          figure: besideEmpty,
          ...target,
          accepted: acceptedBesideEmpty[name]!,
        },
        { name: `${name}, beside few`, figure: besideFew, ...target, accepted: 0.8 },
      ];
    }),
    {
      name: 'slowest of the others, beside few',
      figure: Math.min(...others.map(({ besideFew }) => besideFew)),
      ...target,
      accepted: 0.5,
    },
  ];
}

const describe = (rows: number, written: WriteFigures, reads: readonly ReadFigures[]): string =>
  [
    `intake: ${count(written.perSecond)} purchases/s, p50 ${ms(written.p50)}, p99 ${ms(written.p99)}`,
    `  ceiling, the same rows by hand: ${count(written.ceiling)}/s, ratio ${written.ratio.toFixed(2)}`,
    `reads per second with ${count(rows)} events, with ${count(fewRows)} (few) and with none (empty)`,
    columns([
      ['', count(rows), 'few', 'empty', 'beside few', 'beside empty'],
      ...reads.map(({ name, many, few, empty, besideFew, besideEmpty }) => [
        name,
        ...[many, few, empty].map(count),
        ...[besideFew, besideEmpty].map((ratio) => ratio.toFixed(2)),
      ]),
    ]),
  ].join('\n');
