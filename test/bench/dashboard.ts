import type { Bench } from './bench.ts';
import { fillWorkspace, type FilledWorkspace } from './dashboard-rows.ts';
import { measurePages } from './dashboard-pages.ts';
import { measureStreams } from './dashboard-streams.ts';
import { atLeast, atMost, columns, count, ms } from './report.ts';
import { startServer } from './server.ts';
import { signUp } from '../support/sign-up.ts';

const webinars = 200;
const registrations = 100_000;
const changes = 100_000;
const pageRows = 50;

export const dashboard: Bench = {
  name: 'dashboard',
  summary:
    'the data calls of each page of the dashboard in a workspace with 200 webinars, as many archived ones, 100,000 registrations and --rows ' +
    'deliveries, beside a workspace in which each list has one page; and 200 open streams on one process for --seconds: CPU and memory of a stream, and the ' +
    'delay of a change',
  async run({ database, url, rounds, rows = 1_000_000, seconds, use }) {
    const server = use(await startServer('service', url));
    const { origin } = server;
    const workspace = async (fill: Parameters<typeof fillWorkspace>[2]): Promise<FilledWorkspace> =>
      fillWorkspace(database, await signUp(origin), fill);
    const startedAt = performance.now();
    const large = await workspace({ webinars, registrations, changes, deliveries: rows, days: 90 });
    const fillSeconds = (performance.now() - startedAt) / 1000;
    // Half of the deliveries are of another endpoint.
    const onePage = {
      webinars: pageRows,
      registrations: pageRows,
      changes: pageRows,
      deliveries: 4 * pageRows,
      days: 1,
    };
    const small = await workspace(onePage);
    const pages = await measurePages(origin, { small, large }, rounds);
    const streams = await measureStreams({ database, server, member: small.member, seconds });
    return {
      figures: { fillSeconds, pages, streams },
      text: [
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
      ].join('\n'),
      targets: [
        ...pages.map(({ name, ratio }) => atLeast(`${name}, to one page of rows`, ratio, 0.8, 0.7)),
        atMost('memory of a stream, kB', streams.kilobytes, 100, 200),
        atMost('streams that missed a change', streams.missed, 0),
      ],
    };
  },
};
