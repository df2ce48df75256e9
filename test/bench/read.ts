import { deepStrictEqual } from 'node:assert';
import { measureRounds, type Bench } from './bench.ts';
import { createBenchWorld } from './bench-world.ts';
import { measureLoad } from './load.ts';
import { atLeast, count, mediansOf, ms } from './report.ts';
import { startServer } from './server.ts';

const path = '/api/v1/webinars?limit=25';

export const read: Bench = {
  name: 'read',
  summary:
    'authenticated GET /webinars?limit=25 per second over HTTP, everything on (key, limit, validation, Activity). Ceiling: an express ' +
    'route with pg written by hand that checks the key, counts the request and answers the same',
  async run({ database, url, rounds, requests, use }) {
    const { key } = await createBenchWorld(database, 30);
    const headers = { authorization: `Bearer ${key}` };
    const { origin: ceiling } = use(await startServer('ceiling', url));
    const { origin: service } = use(await startServer('service', url));
    const { origin: quiet } = use(await startServer('service-without-activity', url));
    await requireSameAnswer([ceiling, service, quiet], headers);

    const measure = (origin: string) => {
      const request = () => ({ method: 'GET' as const, path, headers });
      return measureLoad({ origin, requests, concurrency: 16, request, status: 200 });
    };
    const measured = await measureRounds(rounds, async () => {
      const bare = await measure(ceiling);
      const whole = await measure(service);
      const withoutActivity = await measure(quiet);
      return {
        ...whole,
        ceiling: bare.perSecond,
        ratio: whole.perSecond / bare.perSecond,
        withoutActivity: withoutActivity.perSecond,
      };
    });
    const medians = mediansOf(measured);
    const activityMicroseconds = 1e6 / medians.perSecond - 1e6 / medians.withoutActivity;
    const result = { ...medians, activityMicroseconds };
    return {
      figures: { result },
      text: [
        `read: ${count(result.perSecond)} requests/s, p50 ${ms(result.p50)}, p99 ${ms(result.p99)}`,
        `  ceiling, express and pg by hand:  ${count(result.ceiling)}/s  ratio ${result.ratio.toFixed(2)}`,
        `  without Activity:                 ${count(result.withoutActivity)}/s, so Activity costs ${activityMicroseconds.toFixed(0)} µs a request`,
      ].join('\n'),
      targets: [atLeast('ratio', result.ratio, 0.7, 0.6)],
    };
  },
};

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
