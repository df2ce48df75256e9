import { randomUUID } from 'node:crypto';
import type { Database } from '@service/database';
import { createKey } from '../support/factories.ts';
import { signUp } from '../support/sign-up.ts';
import { measureRounds, type Bench } from './bench.ts';
import { createBenchWorld } from './bench-world.ts';
import { atLeast, mediansOf, columns, count, ms } from './report.ts';
import { measureReads, type ReadFigures } from './revenue-reads.ts';
import { fillLedger, type FilledLedger } from './revenue-rows.ts';
import { measureBareRevenue, measureIntake, type Shop } from './revenue-writes.ts';
import { startServer } from './server.ts';

const concurrency = 64;
const people = 1000;

/** Events of the small ledger. Each list has a full page in it, so that its answers are as long as those of the large one. */
const fewRows = 20_000;

export const revenue: Bench = {
  name: 'revenue',
  summary:
    'purchases per second through the address of the generic source, each signed and sent alone: event, payment, credit of a ' +
    'registration, totals, everything on. Ceiling: a bare pg loop that writes the same rows, without totals. And summaries and first ' +
    'pages with --rows events, beside a ledger of 20,000 and an empty one',
  async run({ database, url, rounds, requests, rows = 1_000_000, use }) {
    const { origin } = use(await startServer('service', url));
    const shop = await openShop(database, origin);
    const writes = await measureRounds(rounds, async (round) => {
      const load = { requests, concurrency, round: `round${round}` };
      const ceiling = await measureBareRevenue(url, shop, load);
      const intake = await measureIntake(origin, shop, load);
      return { ...intake, ceiling, ratio: intake.perSecond / ceiling };
    });
    await requireRows(database, shop, requests * (rounds + 1));

    const ledgerOf = async (events: number): Promise<FilledLedger & { key: string }> => {
      const accountId = randomUUID();
      const { key } = await createKey(database, accountId);
      return { ...(await fillLedger(database.pool, accountId, events)), key };
    };
    const startedAt = performance.now();
    const many = await ledgerOf(rows);
    const fillSeconds = (performance.now() - startedAt) / 1000;
    const ledgers = { many, few: await ledgerOf(fewRows), empty: await ledgerOf(0) };
    const reads = await measureReads(origin, ledgers, rounds);
    const written = mediansOf(writes);
    return {
      figures: { written, fillSeconds, reads },
      text: [
        `intake: ${count(written.perSecond)} purchases/s, p50 ${ms(written.p50)}, p99 ${ms(written.p99)}`,
        `  ceiling, the same rows by hand: ${count(written.ceiling)}/s, ratio ${written.ratio.toFixed(2)}`,
        `reads per second with ${count(rows)} events, with ${count(fewRows)} (few) and with none (empty)`,
        columns([
          ['', count(rows), 'few', 'empty', 'beside few', 'beside empty'],
          ...reads.map(({ name, besideFew, besideEmpty, ...rates }) => [
            name,
            ...[rates.many, rates.few, rates.empty].map(count),
            ...[besideFew, besideEmpty].map((ratio) => ratio.toFixed(2)),
          ]),
        ]),
      ].join('\n'),
      targets: [atLeast('intake, ratio', written.ratio, 0.5, 0.3), ...targetsOf(reads)],
    };
  },
};

/** A workspace with a generic source and people who have registered, so that purchases are credited. */
async function openShop(database: Database, origin: string): Promise<Shop> {
  const { accountId, mutate } = await signUp(origin);
  const { secret } = await mutate<{ secret: string }>('revenueSources.createSecret', {});
  const emailOf = (index: number): string => `person${index % people}@example.com`;
  const { webinars } = await createBenchWorld(database, 1, accountId);
  const emails = Array.from({ length: people }, (_, index) => emailOf(index));
  await database.pool.query(insertPeople, [accountId, webinars[0]!.id, emails]);
  await database.pool.query('vacuum analyze attendees.registration');
  return { accountId, secret, emailOf };
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

/** The reads that are judged one by one. A page of an empty ledger reads and writes no events. */
const acceptedBesideEmpty: Record<string, number> = { summary: 0.5, 'first page': 0.3 };

function targetsOf(reads: readonly ReadFigures[]) {
  const others = reads.filter(({ name }) => !(name in acceptedBesideEmpty));
  const slowest = Math.min(...others.map(({ besideFew }) => besideFew));
  return [
    ...Object.entries(acceptedBesideEmpty).flatMap(([name, accepted]) => {
      const { besideFew, besideEmpty } = reads.find((read) => read.name === name)!;
      return [
        atLeast(`${name}, beside empty`, besideEmpty, 0.9, accepted),
        atLeast(`${name}, beside few`, besideFew, 0.9, 0.8),
      ];
    }),
    atLeast('slowest of the others, beside few', slowest, 0.9, 0.5),
  ];
}
