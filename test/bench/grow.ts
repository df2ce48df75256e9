import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { measureBacklog, type Backlog } from './backlog.ts';
import { openBenchDatabase, openDatabaseBeside, type BenchDatabase } from './bench-database.ts';
import { createDeliveryBenchWorld } from './delivery-bench-world.ts';
import { fillEvents } from './grow-events.ts';
import { measureDeliveryLists, measureEventLists, type Filled, type ListFigures } from './grow-lists.ts';
import { measureRetention, type RetentionFigures } from './grow-retention.ts';
import { fillDeliveries } from './grow-rows.ts';
import { median } from './median.ts';
import { startReceiverProcess } from '../support/receiver-process.ts';
import { columns, count, ms, type BenchReport, type Target } from './report.ts';
import { startWorkers } from './worker-process.ts';

export const growHelp = `grow      a worker process and an endpoint's lists with --rows stored deliveries and their attempts over ninety days, beside
          a new database on the same server in turns; what deliveries notice of retention dropping a day; and timelines, clicks
          and stats with as many events over 36 months`;

export interface GrowOptions {
  rounds: number;
  rows: number;
  deliveries: number;
  concurrency: number;
}

interface DeliverFigures {
  emptyPerSecond: number;
  grownPerSecond: number;
  ratio: number;
}

const days = 90;
const eventMonths = 36;
const dayMs = 86_400_000;
const ratioTarget = 0.9;
const receiverPorts = 4;
const endpointCount = 1000;
/** The rows of the new database that the lists read. */
const rowsAtFirst = 2000;
/** A delivery with its attempt, an event, and their indexes, with room for the log. */
const bytesPerRow = 1800;

export async function benchGrow(options: GrowOptions): Promise<BenchReport> {
  const { rounds, rows } = options;
  await requireSpace(rows * bytesPerRow);
  await using opened = new AsyncDisposableStack();
  const grownDatabase = opened.use(await openBenchDatabase());
  const emptyDatabase = opened.use(await openDatabaseBeside(grownDatabase));
  const receiver = opened.use(await startReceiverProcess({ receivers: receiverPorts, record: 'arrivals' }));
  const now = new Date();
  const open = async (bench: BenchDatabase, fill: { rows: number; days: number }) => {
    const world = opened.use(createDeliveryBenchWorld(bench));
    const filled: Filled = { world, ...(await fillDeliveries(bench.database.pool, { ...fill, now })) };
    const urls = Array.from(
      { length: endpointCount },
      (_, index) => `${receiver.origins[index % receiverPorts]}/ok/${index}`,
    );
    return { filled, backlog: { world, receiver, endpoints: await world.createAccount(urls) } };
  };
  const startedAt = performance.now();
  const grown = await open(grownDatabase, { rows, days });
  const fillSeconds = (performance.now() - startedAt) / 1000;
  const empty = await open(emptyDatabase, { rows: rowsAtFirst, days: 1 });

  const lists = await measureDeliveryLists(empty.filled, grown.filled, rounds);
  const deliver = await measureDeliver(empty.backlog, grown.backlog, options);
  const oldest = new Date(Math.floor(now.getTime() / dayMs) * dayMs - days * dayMs);
  const retention = await measureRetention({ ...grown.backlog, ...options, oldest });
  const grownEvents = opened.use(
    await fillEvents(grownDatabase.database, { url: grownDatabase.url, rows, months: eventMonths, now }),
  );
  const emptyEvents = opened.use(
    await fillEvents(emptyDatabase.database, { url: emptyDatabase.url, rows: rowsAtFirst, months: 1, now }),
  );
  const eventLists = await measureEventLists(emptyEvents, grownEvents, rounds);
  const result = { fillSeconds, deliver, lists, retention, eventLists };
  return { figures: result, text: describe(options, result), targets: targetsOf(result) };
}

async function requireSpace(bytes: number): Promise<void> {
  if (process.env['DATABASE_URL'] !== undefined) return;
  const { bavail, bsize } = await statfs(tmpdir());
  if (bavail * bsize > bytes) return;
  const gigabytes = (amount: number): string => `${(amount / 1e9).toFixed(1)} GB`;
  throw new Error(
    `That many rows need ${gigabytes(bytes)} in ${tmpdir()}, where ${gigabytes(bavail * bsize)} are free: take fewer --rows.`,
  );
}

async function measureDeliver(
  empty: Omit<Backlog, 'deliveries'>,
  grown: Omit<Backlog, 'deliveries'>,
  { rounds, deliveries, concurrency }: GrowOptions,
): Promise<DeliverFigures> {
  const run = async (backlog: Omit<Backlog, 'deliveries'>): Promise<number> => {
    await using started = await startWorkers(backlog.world, 1, concurrency);
    // The first run of a process is slower and does not count.
    await measureBacklog({ ...backlog, deliveries: 2000 }, started.workers);
    const { perSecond } = await measureBacklog({ ...backlog, deliveries }, started.workers);
    return perSecond;
  };
  const [emptyRates, grownRates]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    emptyRates.push(await run(empty));
    grownRates.push(await run(grown));
  }
  return {
    emptyPerSecond: median(emptyRates),
    grownPerSecond: median(grownRates),
    ratio: median(grownRates.map((rate, round) => rate / emptyRates[round]!)),
  };
}

interface Result {
  fillSeconds: number;
  deliver: DeliverFigures;
  lists: ListFigures[];
  retention: RetentionFigures;
  eventLists: ListFigures[];
}

// A list of the newest looks at one day in the new database and at ninety in the grown one, so some have more to do.
const targetsOf = ({ deliver, lists, eventLists, retention }: Result): Target[] => [
  { name: 'deliver, ratio', figure: deliver.ratio, is: 'at least', target: ratioTarget, accepted: 0.8 },
  ...[...lists, ...eventLists].map(({ name, ratio }): Target => ({
    name: `list, ${name}, ratio`,
    figure: ratio,
    is: 'at least',
    target: ratioTarget,
    accepted: 0.35,
  })),
  { name: 'drop of a day in ms', figure: retention.dropMs, is: 'at most', target: 1000, accepted: 1000 },
];

function describe(
  { rows }: GrowOptions,
  { fillSeconds, deliver, lists, retention, eventLists }: Result,
): string {
  const toColumns = ({ name, emptyMs, grownMs, ratio }: ListFigures): string[] => [
    `list, ${name}`,
    ms(emptyMs),
    ms(grownMs),
    ratio.toFixed(2),
  ];
  return [
    `grow: ${count(rows)} stored deliveries over ${days} days (made in ${fillSeconds.toFixed(0)} s) beside a new database`,
    columns([
      ['', 'new', 'grown', 'ratio'],
      [
        'deliver, per second',
        count(deliver.emptyPerSecond),
        count(deliver.grownPerSecond),
        deliver.ratio.toFixed(2),
      ],
      ...lists.map(toColumns),
    ]),
    `  retention drops a day in ${ms(retention.dropMs)}; ` +
      `the longest delivery meanwhile ${ms(retention.longestMeanwhileMs)}, in the seconds before ${ms(retention.longestBeforeMs)}`,
    `grow: ${count(rows)} events of attendees over ${eventMonths} months beside a new database with one`,
    columns([['', 'new', 'grown', 'ratio', ''], ...eventLists.map(toColumns)]),
  ].join('\n');
}
