import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { measureBacklog, type Backlog } from './backlog.ts';
import type { Bench } from './bench.ts';
import { openDatabaseBeside, type BenchDatabase } from './bench-database.ts';
import { createDeliveryBenchWorld } from './delivery-bench-world.ts';
import { fillEvents } from './grow-events.ts';
import { fillHistories } from './grow-histories.ts';
import { measureDeliveryLists, measureEventLists, type Filled, type ListFigures } from './grow-lists.ts';
import { measureRetention } from './grow-retention.ts';
import { fillDeliveries } from './grow-rows.ts';
import { startReceiverProcess } from '../support/receiver-process.ts';
import { atLeast, atMost, columns, count, mediansOf, ms } from './report.ts';
import { startWorkers } from './worker-process.ts';

const days = 90;
const eventMonths = 36;
const dayMs = 86_400_000;
const receiverPorts = 4;
const endpointCount = 1000;
/**
 * For one page of a list, however many rows there are: three of each of ninety days. The statistics of all interactions, over 36 months,
 * read 796 with 10^6 and with 10^7 events, and 1,550 with 20,000, when Postgres reads small partitions whole. These numbers are the same
 * on every machine, which times of a few milliseconds are not.
 */
const pagesGoal = 300;
const pagesMax = 2000;
/** The rows of the new database that the lists read. */
const rowsAtFirst = 2000;
/** A delivery with its attempt, an event, and their indexes, with room for the log. */
const bytesPerRow = 1800;

type Filling = Pick<BenchDatabase, 'database' | 'url'>;

export const grow: Bench = {
  name: 'grow',
  summary:
    "a worker process and an endpoint's lists with --rows stored deliveries and their attempts over ninety days, beside a new database on " +
    'the same server in turns; what deliveries notice of retention dropping a day; and timelines, clicks and stats with as many events ' +
    'over 36 months, and lists of registrations, executions, calls, revenue, mails, sends to marketing tools and changes of members',
  async run({ use, say, rounds, concurrency, deliveries = 20_000, rows = 10_000_000, ...grownDatabase }) {
    await requireSpace(rows * bytesPerRow);
    const emptyDatabase = use(await openDatabaseBeside(grownDatabase));
    const receiver = use(await startReceiverProcess({ receivers: receiverPorts, record: 'arrivals' }));
    const now = new Date();
    const open = async (bench: Filling, fill: { rows: number; days: number }) => {
      const world = use(createDeliveryBenchWorld(bench));
      const filled: Filled = { world, ...(await fillDeliveries(bench.database.pool, { ...fill, now })) };
      const urls = Array.from(
        { length: endpointCount },
        (_, index) => `${receiver.origins[index % receiverPorts]}/ok/${index}`,
      );
      return { filled, backlog: { world, receiver, endpoints: await world.createAccount(urls), deliveries } };
    };
    say(`storing ${count(rows)} deliveries`);
    const startedAt = performance.now();
    const grown = await open(grownDatabase, { rows, days });
    const fillSeconds = (performance.now() - startedAt) / 1000;
    const empty = await open(emptyDatabase, { rows: rowsAtFirst, days: 1 });

    const { pool } = grownDatabase.database;
    say('lists of deliveries');
    const lists = await measureDeliveryLists({ empty: empty.filled, grown: grown.filled, rounds, pool });
    const run = async (backlog: Backlog): Promise<number> => {
      await using started = await startWorkers(backlog.world, 1, concurrency);
      // The first run of a process is slower and does not count.
      await measureBacklog({ ...backlog, deliveries: 2000 }, started.workers);
      const { perSecond } = await measureBacklog(backlog, started.workers);
      return perSecond;
    };
    const measured: { emptyPerSecond: number; grownPerSecond: number; ratio: number }[] = [];
    while (measured.length < rounds) {
      say(`deliveries, round ${measured.length + 1}`);
      const [emptyPerSecond, grownPerSecond] = [await run(empty.backlog), await run(grown.backlog)];
      measured.push({ emptyPerSecond, grownPerSecond, ratio: grownPerSecond / emptyPerSecond });
    }
    const deliver = mediansOf(measured);
    say('retention');
    const oldest = new Date(Math.floor(now.getTime() / dayMs) * dayMs - days * dayMs);
    const retention = await measureRetention({ ...grown.backlog, rounds, concurrency, oldest });
    const events = async (
      { database, url }: Filling,
      fill: { rows: number; months: number; days: number },
    ) => {
      const filled = use(await fillEvents(database, { url, now, ...fill }));
      return fillHistories(database, filled, { now, ...fill });
    };
    say(`storing ${count(rows)} events`);
    const grownEvents = await events(grownDatabase, { rows, months: eventMonths, days });
    const emptyEvents = await events(emptyDatabase, { rows: rowsAtFirst, months: 1, days: 1 });
    say('lists of events');
    const eventLists = await measureEventLists({ empty: emptyEvents, grown: grownEvents, rounds, pool });

    const toColumns = ({ name, emptyMs, grownMs, ratio, ...buffers }: ListFigures): string[] => [
      `list, ${name}`,
      ms(emptyMs),
      ms(grownMs),
      ratio.toFixed(2),
      ...[buffers.emptyBuffers, buffers.grownBuffers].map((amount) =>
        amount === undefined ? '-' : count(amount),
      ),
    ];
    const heads = ['', 'new', 'grown', 'ratio', 'pages of 8 kB, new', 'grown'];
    return {
      figures: { fillSeconds, deliver, lists, retention, eventLists },
      text: [
        `grow: ${count(rows)} stored deliveries over ${days} days (made in ${fillSeconds.toFixed(0)} s) beside a new database`,
        columns([
          heads,
          [
            'deliver, per second',
            count(deliver.emptyPerSecond),
            count(deliver.grownPerSecond),
            deliver.ratio.toFixed(2),
            '',
            '',
          ],
          ...lists.map(toColumns),
        ]),
        `  retention drops a day in ${ms(retention.dropMs)}; ` +
          `the longest delivery meanwhile ${ms(retention.longestMeanwhileMs)}, in the seconds before ${ms(retention.longestBeforeMs)}`,
        `grow: ${count(rows)} events of attendees over ${eventMonths} months beside a new database with one`,
        columns([heads, ...eventLists.map(toColumns)]),
      ].join('\n'),
      targets: [
        atLeast('deliver, ratio', deliver.ratio, 0.9, 0.8),
        ...[...lists, ...eventLists].flatMap(({ name, grownBuffers: pages }) =>
          pages === undefined ? [] : [atMost(`list, ${name}, pages of 8 kB`, pages, pagesGoal, pagesMax)],
        ),
        atMost('drop of a day in ms', retention.dropMs, 1000),
      ],
    };
  },
};

async function requireSpace(bytes: number): Promise<void> {
  if (process.env['DATABASE_URL'] !== undefined) return;
  const { bavail, bsize } = await statfs(tmpdir());
  if (bavail * bsize > bytes) return;
  const gigabytes = (amount: number): string => `${(amount / 1e9).toFixed(1)} GB`;
  throw new Error(
    `That many rows need ${gigabytes(bytes)} in ${tmpdir()}, where ${gigabytes(bavail * bsize)} are free: take fewer --rows.`,
  );
}
