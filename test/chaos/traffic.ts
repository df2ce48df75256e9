import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { BenchWorld } from '../bench/bench-world.ts';
import type { ChaosWorld } from './world.ts';

/** One request of the load and its result. */
export interface Answer {
  /** When it was sent, by this machine's clock in milliseconds. */
  at: number;
  durationMs: number;
  /** Undefined when none came: refused, cut or too late. */
  status: number | undefined;
  /** The registrations it asked for: all of them, or none, must exist. */
  emails: string[];
  /** True when the answer says that all of them were made. */
  acknowledged: boolean;
}

export interface Traffic {
  answers: Answer[];
  /** Events that were not sent in time, because too many requests were open. */
  notSent(): number;
  /** Sends no more; resolves when all that is open has been answered. */
  stop(): Promise<void>;
}

type Webinar = BenchWorld['webinars'][number];

interface TrafficOptions {
  webinars: readonly Webinar[];
  eventsPerSecond: number;
  /** Registrations in one request; 1 posts them singly. */
  rows: number;
}

const openMax = 64;
const answerMaxMs = 20_000;

/** Registers people at a constant rate, also while requests fail. Each registration is an event; nothing is sent twice. */
export function startTraffic(world: ChaosWorld, options: TrafficOptions): Traffic {
  const { webinars, eventsPerSecond, rows } = options;
  const agent = new Agent({ connections: openMax, headersTimeout: answerMaxMs, bodyTimeout: answerMaxMs });
  const run = randomBytes(4).toString('hex');
  const answers: Answer[] = [];
  const open = new Set<Promise<unknown>>();
  let begun = 0;
  let notSent = 0;
  let stopped = false;

  const begin = (): void => {
    const webinar = webinars[begun % webinars.length]!;
    const emails = Array.from({ length: rows }, (_, row) => `ada-${run}-${begun}-${row}@example.com`);
    begun += 1;
    const sent = send(world, agent, { webinar, emails })
      .then((answer) => answers.push(answer))
      .finally(() => open.delete(sent));
    open.add(sent);
  };
  const keepPace = async (): Promise<void> => {
    const startedAt = performance.now();
    let skipped = 0;
    while (!stopped) {
      const planned = Math.floor(((performance.now() - startedAt) / 1000) * (eventsPerSecond / rows));
      while (begun + skipped < planned && open.size < openMax) begin();
      // Late events are dropped: a burst later would be another load.
      const missed = Math.max(0, planned - begun - skipped);
      skipped += missed;
      notSent += missed * rows;
      await delay(10);
    }
  };
  const pace = keepPace();
  return {
    answers,
    notSent: () => notSent,
    async stop() {
      stopped = true;
      await pace;
      await Promise.all(open);
      await agent.destroy();
    },
  };
}

interface Batch {
  webinar: Webinar;
  emails: string[];
}

async function send(
  { apiOrigin, key }: ChaosWorld,
  agent: Agent,
  { webinar, emails }: Batch,
): Promise<Answer> {
  const at = Date.now();
  const startedAt = performance.now();
  const people = emails.map((email) => ({ name: 'Ada', email, sessionTime: webinar.sessionTime }));
  const path = `/api/v1/webinars/${webinar.id}/registrations`;
  const isSingle = people.length === 1;
  let status: number | undefined;
  let acknowledged = false;
  try {
    const post = () =>
      request(`${apiOrigin}${path}${isSingle ? '' : '/bulk'}`, {
        method: 'POST',
        dispatcher: agent,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(isSingle ? people[0] : { registrations: people }),
      });
    let response = await post();
    // An account runs two bulk calls at a time; a client waits and sends a third one again.
    for (let tries = 1; response.statusCode === 429 && tries < placeTriesMax; tries += 1) {
      await response.body.dump();
      await delay(placePauseMs);
      response = await post();
    }
    const answer = (await response.body.json()) as { summary?: { created: number } };
    status = response.statusCode;
    acknowledged = isSingle ? status === 201 : answer.summary?.created === people.length;
  } catch {
    // No answer: it may have happened or not.
  }
  return { at, durationMs: performance.now() - startedAt, status, emails, acknowledged };
}

const bulkRows = 25;

/** A bulk call that found both places taken is sent again this often, after this time. */
const placeTriesMax = 100;
const placePauseMs = 50;
const singleShare = 0.1;

/** A tenth of the events one by one, the others in bulk requests of 25. */
export function startMixedTraffic(
  world: ChaosWorld,
  webinars: readonly Webinar[],
  eventsPerSecond: number,
): Traffic[] {
  return [
    startTraffic(world, { webinars, eventsPerSecond: eventsPerSecond * singleShare, rows: 1 }),
    startTraffic(world, { webinars, eventsPerSecond: eventsPerSecond * (1 - singleShare), rows: bulkRows }),
  ];
}

export async function stopTraffic(traffic: readonly Traffic[]): Promise<void> {
  await Promise.all(traffic.map((one) => one.stop()));
}
const bulkRowsMax = 500;

/** Registers this many people at once, without any rate. */
export async function registerMany(world: ChaosWorld, webinar: Webinar, count: number): Promise<Traffic> {
  const agent = new Agent();
  const run = randomBytes(4).toString('hex');
  const answers: Answer[] = [];
  for (let from = 0; from < count; from += bulkRowsMax) {
    const rows = Math.min(bulkRowsMax, count - from);
    const emails = Array.from({ length: rows }, (_, row) => `ada-${run}-${from}-${row}@example.com`);
    answers.push(await send(world, agent, { webinar, emails }));
  }
  await agent.close();
  return { answers, notSent: () => 0, stop: async () => undefined };
}
