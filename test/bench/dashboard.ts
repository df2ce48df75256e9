import { openBenchDatabase } from './bench-database.ts';
import { fillWorkspace, type FilledWorkspace } from './dashboard-rows.ts';
import { measurePages, type PageFigures } from './dashboard-pages.ts';
import { measureStreams, type StreamFigures } from './dashboard-streams.ts';
import { columns, count, ms, type BenchReport, type Target } from './report.ts';
import { startServer } from './server.ts';
import { signUp } from './sign-up.ts';

export const dashboardHelp = `dashboard the data calls of each page of the dashboard in a workspace with 200 webinars, 100,000 registrations and --rows
          deliveries, beside a workspace in which each list has one page; and 200 open streams on one process for --seconds:
          CPU and memory of a stream, and the delay of a change`;

interface DashboardOptions {
  rounds: number;
  rows: number;
  seconds: number;
}

const webinars = 200;
const registrations = 100_000;
const pageRows = 50;

export async function benchDashboard({ rounds, rows, seconds }: DashboardOptions): Promise<BenchReport> {
  await using opened = new AsyncDisposableStack();
  const { database, url } = opened.use(await openBenchDatabase());
  const server = opened.use(await startServer('service', url));
  const { origin } = server;
  const workspace = async (fill: Parameters<typeof fillWorkspace>[2]): Promise<FilledWorkspace> =>
    fillWorkspace(database, { origin, member: await signUp(origin) }, fill);
  const startedAt = performance.now();
  const large = await workspace({ webinars, registrations, deliveries: rows, days: 90 });
  const fillSeconds = (performance.now() - startedAt) / 1000;
  const small = await workspace({
    webinars: pageRows,
    registrations: pageRows,
    // Half of them are of another endpoint.
    deliveries: 4 * pageRows,
    days: 1,
  });
  const pages = await measurePages(origin, { small, large }, rounds);
  const streams = await measureStreams({ database, server, member: small.member, seconds });
  const figures = { fillSeconds, pages, streams };
  return { figures, text: describe(rows, figures), targets: targetsOf(figures) };
}

interface Figures {
  fillSeconds: number;
  pages: PageFigures[];
  streams: StreamFigures;
}

function describe(rows: number, { fillSeconds, pages, streams }: Figures): string {
  return [
    `dashboard: ${webinars} webinars, ${count(registrations)} registrations, ${count(rows)} deliveries (filled in ${fillSeconds.toFixed(0)} s)`,
    columns([
      ['page', 'one page of rows', 'filled', 'ratio'],
      ...pages.map((page) => [page.name, ms(page.smallMs), ms(page.largeMs), page.ratio.toFixed(2)]),
    ]),
    `streams: ${streams.streams} open on one process`,
    columns([
      ['', 'idle', 'with changes'],
      ['CPU of a stream, µs/s', streams.idleCpu.toFixed(0), streams.busyCpu.toFixed(0)],
      ['memory of a stream, kB', streams.kilobytes.toFixed(0), ''],
      ['changes, messages', '', `${count(streams.changes)}, ${count(streams.messages)}`],
      ['delay of a change, p50 / p99', '', `${ms(streams.delayMs)} / ${ms(streams.delayP99Ms)}`],
    ]),
  ].join('\n');
}

const targetsOf = ({ pages, streams }: Figures): Target[] => [
  ...pages.map(({ name, ratio }): Target => ({
    name: `${name}, to one page of rows`,
    figure: ratio,
    is: 'at least',
    target: 0.8,
    accepted: 0.7,
  })),
  {
    name: 'memory of a stream, kB',
    figure: streams.kilobytes,
    is: 'at most',
    target: 100,
    accepted: 200,
  },
  {
    name: 'streams that missed a change',
    figure: streams.missed,
    is: 'at most',
    target: 0,
    accepted: 0,
  },
];
