import { marketingProviders } from '@service/marketing-providers';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startAnswering, type AnsweringProcess } from '../support/answering-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { measureRounds, type Bench, type BenchRun } from './bench.ts';
import { startBenchProcess } from './bench-process.ts';
import { median } from './median.ts';
import { runOpenLoop } from './open-loop.ts';
import { percentilesOf } from './percentiles.ts';
import { atMost, columns, count, mediansOf, ms } from './report.ts';
import { createToolWorld, openToolParts, registerMany, type ToolWorld } from './tool-worlds.ts';

/** The first time that a contact had its values and tags at a tool. Milliseconds since the epoch. */
export interface ToolArrival {
  email: string;
  at: number;
}

/** A call as the fake got it. */
export interface BareCall {
  method: string;
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string | undefined;
}

/** To the process of the tools. `calls`: those of the newest contact of each tool. `refused`: calls above a limit. */
export type ToolQuestion =
  | { kind: 'arrivals' | 'calls' | 'refused' }
  | { kind: 'delay'; index: number; ms: number };

const connectionsOfTool = 5;
/** Each connection gets a registration every three seconds, so it is idle in between. */
const perSecondUsual = 10;
const hangMs = 10_000;
/** Waiting for the tool that hangs. Brevo takes ten a second and has no batch. */
const hangingTool = 'brevo';
const backlog = 300;
const waitMaxMs = 30_000;
/** Of the bare client, few enough for the limits of the tools. */
const barePasses = 3;
const barePauseMs = 1100;

interface Setup extends Pick<BenchRun, 'database' | 'seconds'> {
  tools: AnsweringProcess<string[]>;
  api: { origin: string };
  perSecond: number;
  worlds: ToolWorld[];
  hanging: ToolWorld;
  hangingIndex: number;
}

export const contacts: Bench = {
  name: 'contacts',
  summary:
    'from the call that registers a person until a marketing tool has their values and tags: one worker, five connections to each of six tools, --rate ' +
    'registrations a second over all of them (10), while one more tool answers 300 waiting people at once, and while it hangs for 10 s in each call. ' +
    'Ceiling: a bare client that makes the same calls to the same fakes. The whole has --rounds 5',
  async run({ database, url, rounds, seconds, rate = perSecondUsual, use }) {
    const encryptionKey = randomBytes(32).toString('base64');
    const ids = [
      ...marketingProviders.flatMap(({ id }) => Array.from({ length: connectionsOfTool }, () => id)),
      hangingTool,
    ] as const;
    const tools = use(
      await startAnswering<string[]>(new URL('contact-tools-process.ts', import.meta.url), ids),
    );
    const parts = await openToolParts({ url, encryptionKey });
    const worlds: ToolWorld[] = [];
    for (const [index, tool] of ids.entries())
      worlds.push(await createToolWorld({ database }, parts, { tool, baseUrl: tools.first[index]! }));
    await parts.close();
    const service = { databaseUrl: url, encryptionKey };
    const api = use(await startBenchProcess('api', service));
    use(await startBenchProcess('worker', service));
    const hanging = worlds.pop()!;
    const setup: Setup = {
      database,
      seconds,
      tools,
      api,
      perSecond: rate,
      worlds,
      hanging,
      hangingIndex: worlds.length,
    };
    const measured = await measureRounds(rounds, async (round) => ({
      quiet: await measure(setup, { name: `q${round}`, isHanging: false }),
      troubled: await measure(setup, { name: `t${round}`, isHanging: true }),
      bare: await measureBare(setup),
    }));
    const quiet = mediansOf(measured.map((one) => one.quiet));
    const troubled = mediansOf(measured.map((one) => one.troubled));
    const bare = mediansOf(measured.map((one) => one.bare));
    const ratioOf = (name: 'p50' | 'p99'): number =>
      median(measured.map((one) => one.troubled[name] / one.quiet[name]));
    const ratios = { p50: ratioOf('p50'), p99: ratioOf('p99') };
    const refused = await tools.ask<number>({ kind: 'refused' });
    return {
      figures: { quiet, troubled, bare, ratios, refused },
      text: [
        `${count(rate)} registrations a second over ${worlds.length} connections, from the call to the tool`,
        columns([
          ['', 'p50', 'p99', 'max'],
          ...Object.entries({
            'all tools answer': quiet,
            'one hangs': troubled,
            'a bare client, its calls alone': bare,
          }).map(([name, { p50, p99, max }]) => [name, ms(p50), ms(p99), ms(max)]),
        ]),
      ].join('\n'),
      targets: [
        atMost('p50 in ms', quiet.p50, 1500),
        atMost('p99 in ms', quiet.p99, 5000),
        atMost('p50 when one hangs, to the quiet one', ratios.p50, 1.1),
        atMost('p99 when one hangs, to the quiet one', ratios.p99, 1.5),
        atMost('calls above the limit of a tool', refused, 0),
      ],
    };
  },
};

interface Figures {
  p50: number;
  p99: number;
  max: number;
}

async function measure(
  { database, seconds, tools, api, perSecond, worlds, hanging, hangingIndex }: Setup,
  { name, isHanging }: { name: string; isHanging: boolean },
): Promise<Figures> {
  const ask = <Answer>(question: ToolQuestion): Promise<Answer> => tools.ask<Answer>({ ...question });
  await ask({ kind: 'delay', index: hangingIndex, ms: isHanging ? hangMs : 0 });
  await registerMany(api.origin, hanging, { people: backlog, hasAgreed: false });
  await ask({ kind: 'arrivals' });
  const askedAt = new Map<string, number>();
  const waits: number[] = [];
  await runOpenLoop({
    perSecond,
    seconds,
    async arrive(index) {
      const world = worlds[index % worlds.length]!;
      const email = `${name}-${index}@example.com`;
      askedAt.set(email, Date.now());
      await register(api.origin, world, email);
    },
  });
  const isDone = await waitUntil(async () => {
    for (const { email, at } of await ask<ToolArrival[]>({ kind: 'arrivals' }))
      if (askedAt.has(email)) waits.push(at - askedAt.get(email)!);
    return waits.length === askedAt.size;
  }, waitMaxMs);
  if (!isDone)
    throw new Error(`${askedAt.size - waits.length} of ${askedAt.size} people are not at the tool.`);
  await ask({ kind: 'delay', index: hangingIndex, ms: 0 });
  await database.pool.query('delete from contacts.change where connection_id = $1 and not is_taken', [
    hanging.connectionId,
  ]);
  await waitUntil(async () => {
    const { rows } = await database.pool.query('select from contacts.change limit 1');
    return rows.length === 0;
  }, waitMaxMs);
  const { p50, p99, max } = percentilesOf(waits);
  return { p50, p99, max };
}

async function register(origin: string, { key, webinars }: ToolWorld, email: string): Promise<void> {
  const { id, sessionTime } = webinars[0]!;
  const answer = await fetch(`${origin}/api/v1/webinars/${id}/registrations`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ada Lovelace', email, sessionTime, suppressConfirmation: true }),
  });
  if (!answer.ok) throw new Error(`A registration was answered ${answer.status}: ${await answer.text()}`);
}

/** The calls of one contact at each tool, one after the other. */
async function measureBare({ tools }: Pick<Setup, 'tools'>): Promise<Figures> {
  const callsOf = await tools.ask<BareCall[][]>({ kind: 'calls' });
  const dispatcher = new Agent();
  const waits: number[] = [];
  for (let pass = 0; pass < barePasses; pass += 1) {
    // ActiveCampaign allows five calls a second.
    await delay(barePauseMs);
    for (const calls of callsOf) {
      const startedAt = performance.now();
      for (const { method, url, headers, body } of calls) {
        const { 'content-length': _, connection: __, ...kept } = headers;
        const answer = await request(url, {
          dispatcher,
          method: method as 'GET',
          headers: kept as Record<string, string>,
          ...(body !== undefined && { body }),
        });
        await answer.body.dump();
        if (answer.statusCode === 429) throw new Error('The bare client was faster than a tool allows.');
      }
      waits.push(performance.now() - startedAt);
    }
  }
  await dispatcher.close();
  const { p50, p99, max } = percentilesOf(waits);
  return { p50, p99, max };
}
