import { deepStrictEqual } from 'node:assert';
import { openBenchDatabase } from './bench-database.ts';
import { createBenchWorld } from './bench-world.ts';
import { measureLoad, type LoadFigures } from './load.ts';
import { median } from './median.ts';
import type { BenchReport } from './report.ts';
import { startServer, type ServerKind } from './server.ts';

export const readHelp = `read      authenticated GET /webinars?limit=25 per second over HTTP, everything on (key, limit, validation, Activity).
          Ceiling: an express route with pg written by hand that checks the key, counts the request and answers the same`;

interface ReadOptions {
  rounds: number;
  requests: number;
  concurrency: number;
}

const kinds: readonly ServerKind[] = ['ceiling', 'service', 'service-without-activity'];
const path = '/api/v1/webinars?limit=25';

export async function benchRead({ rounds, requests, concurrency }: ReadOptions): Promise<BenchReport> {
  await using opened = new AsyncDisposableStack();
  const { database, url } = opened.use(await openBenchDatabase());
  const { key } = await createBenchWorld(database, 30);
  const headers = { authorization: `Bearer ${key}` };
  const origins = new Map<ServerKind, string>();
  for (const kind of kinds) origins.set(kind, opened.use(await startServer(kind, url)).origin);
  await requireSameAnswer([...origins.values()], headers);

  const figures = new Map<ServerKind, LoadFigures[]>(kinds.map((kind) => [kind, []]));
  // The first round warms everything up and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const kind of kinds) {
      const measured = await measureLoad({
        origin: origins.get(kind)!,
        requests,
        concurrency,
        request: () => ({ method: 'GET', path, headers }),
        status: 200,
      });
      if (round > 0) figures.get(kind)!.push(measured);
    }
  }
  const of = (kind: ServerKind, name: keyof LoadFigures): number =>
    median(figures.get(kind)!.map((round) => round[name]));
  const ratios = rate(figures.get('service')!, figures.get('ceiling')!);
  const activityMicroseconds =
    1e6 / of('service', 'perSecond') - 1e6 / of('service-without-activity', 'perSecond');
  const result = {
    perSecond: of('service', 'perSecond'),
    p50: of('service', 'p50'),
    p99: of('service', 'p99'),
    ceiling: of('ceiling', 'perSecond'),
    ratio: median(ratios),
    withoutActivity: of('service-without-activity', 'perSecond'),
    activityMicroseconds,
  };
  return {
    figures: { result },
    text: describe(result),
    targets: [{ name: 'ratio', figure: result.ratio, is: 'at least', target: 0.7, accepted: 0.6 }],
  };
}

/** A ceiling that answers less would be none. Cursors differ in form only. */
async function requireSameAnswer(origins: readonly string[], headers: Record<string, string>): Promise<void> {
  const [first, ...others] = await Promise.all(
    origins.map(async (origin) => {
      const answer = await fetch(`${origin}${path}`, { headers });
      return ((await answer.json()) as { data: unknown }).data;
    }),
  );
  for (const other of others) deepStrictEqual(other, first);
}

/** Round by round, since the machine is not the same from one to the next. */
const rate = (figures: readonly LoadFigures[], ceilings: readonly LoadFigures[]): number[] =>
  figures.map(({ perSecond }, round) => perSecond / ceilings[round]!.perSecond);

function describe(result: Record<string, number>): string {
  const count = (name: string): string => Math.round(result[name]!).toLocaleString('en');
  return [
    `read: ${count('perSecond')} requests/s, p50 ${result['p50']!.toFixed(1)} ms, p99 ${result['p99']!.toFixed(1)} ms`,
    `  ceiling, express and pg by hand:  ${count('ceiling')}/s  ratio ${result['ratio']!.toFixed(2)}`,
    `  without Activity:                 ${count('withoutActivity')}/s, so Activity costs ${result['activityMicroseconds']!.toFixed(0)} µs a request`,
  ].join('\n');
}
