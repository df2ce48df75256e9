// An account that is used as usual, and how long its requests, heartbeats and deliveries take meanwhile.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { runOpenLoop } from '../../bench/open-loop.ts';
import { median } from '../../bench/median.ts';
import { percentilesOf, type Percentiles } from '../../bench/percentiles.ts';
import { firstWaits } from '../judge.ts';
import { payloadOf } from '../../support/shop.ts';
import { callRoom, type LiveRoom } from '../live-room.ts';
import { readDeliveries } from '../records.ts';
import { sendWebhook, type Doors } from '../revenue/providers.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { ChaosWorld } from '../world.ts';

export interface Usage {
  rest: Percentiles;
  heartbeats: Percentiles;
  deliveries: Percentiles;
  purchases: Percentiles;
  /** Answers that were not what the account may expect, by kind and status. */
  refused: ReadonlyMap<string, number>;
}

interface UseOptions {
  world: ChaosWorld;
  origins: readonly string[];
  room: LiveRoom;
  /** Its open page of each attendee, in their order. */
  visits: readonly string[];
  /** The address for reports of its payment provider. */
  doors: Doors;
  seconds: number;
}

const restPerSecond = 25;
/** One of so many requests is a registration, which sends a webhook. */
const writeEvery = 3;
const beatsPerSecond = 25;
const purchasesPerSecond = 10;
const arriveMaxMs = 15_000;

export const attendeeCount = 250;

/** Opens a page for everyone. */
export async function enterAll(origin: string, { attendees }: LiveRoom): Promise<string[]> {
  const agent = new Agent();
  const visits = await Promise.all(
    attendees.map(async ({ join }) => {
      const path = `${join}/visits`;
      const { answer } = await callRoom({ origin, agent, path, body: {} });
      return String(answer.visitId);
    }),
  );
  await agent.close();
  return visits;
}

/** Uses REST, the room and the revenue door at a constant rate. `measureUse` may be called again: numbers of heartbeats go on. */
export function createVictim({ world, origins, room, visits, doors }: Omit<UseOptions, 'seconds'>) {
  const seqs = visits.map(() => 0);
  return {
    async use(seconds: number): Promise<Usage> {
      const agent = new Agent({ connections: 64 });
      const startedAt = Date.now();
      const refused = new Map<string, number>();
      const expectStatus = (kind: string, status: number, expected: number): void => {
        if (status === expected) return;
        const label = `${kind} ${status}`;
        refused.set(label, (refused.get(label) ?? 0) + 1);
      };
      const rest: number[] = [];
      const heartbeats: number[] = [];
      const callRest = async (index: number): Promise<void> => {
        const isWrite = index % writeEvery === 0;
        const webinar = world.webinars[0]!;
        const began = performance.now();
        const response = await request(
          `${origins[index % origins.length]}/api/v1/webinars${isWrite ? `/${webinar.id}/registrations` : '?limit=25'}`,
          {
            method: isWrite ? 'POST' : 'GET',
            dispatcher: agent,
            headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
            body: isWrite
              ? JSON.stringify({
                  name: 'Ada',
                  email: `${randomUUID()}@example.com`,
                  sessionTime: webinar.sessionTime,
                })
              : undefined,
          },
        );
        await response.body.dump();
        rest.push(performance.now() - began);
        expectStatus('rest', response.statusCode, isWrite ? 201 : 200);
      };
      const beat = async (index: number): Promise<void> => {
        const who = index % visits.length;
        seqs[who]! += 1;
        const began = performance.now();
        const { status } = await callRoom({
          origin: origins[index % origins.length]!,
          agent,
          path: `${room.attendees[who]!.join}/heartbeats`,
          body: {
            visitId: visits[who],
            seq: seqs[who],
            playheadSeconds: seqs[who]! * 10,
            intervals: [[(seqs[who]! - 1) * 10, seqs[who]! * 10]],
            state: 'playing',
          },
        });
        heartbeats.push(performance.now() - began);
        expectStatus('heartbeat', status, 200);
      };
      const purchases: number[] = [];
      const buy = async (index: number): Promise<void> => {
        const payload = payloadOf({ email: `buyer-${index}@example.com` });
        const webhook = {
          door: 'generic',
          eventId: payload.event_id,
          body: JSON.stringify(payload),
        } as const;
        const began = performance.now();
        const { status } = await sendWebhook(doors, webhook, {
          origin: origins[index % origins.length]!,
          agent,
        });
        purchases.push(performance.now() - began);
        expectStatus('purchase', status, 202);
      };
      await Promise.all([
        runOpenLoop({ perSecond: restPerSecond, seconds, arrive: callRest }),
        runOpenLoop({ perSecond: beatsPerSecond, seconds, arrive: beat }),
        runOpenLoop({ perSecond: purchasesPerSecond, seconds, arrive: buy }),
      ]);
      await agent.destroy();
      const deliveries = await waitForDeliveries(world, startedAt);
      return {
        rest: percentilesOf(rest),
        heartbeats: percentilesOf(heartbeats),
        deliveries: percentilesOf(deliveries),
        purchases: percentilesOf(purchases),
        refused,
      };
    },
  };
}

/** Of several rounds: the median of each percentile, and everything that was refused in any of them. */
export function medianUsage(usages: readonly Usage[]): Usage {
  const medianOf = (kind: Exclude<keyof Usage, 'refused'>): Percentiles => {
    const rounds = usages.map((usage) => usage[kind]);
    const middle = (name: keyof Percentiles): number => median(rounds.map((round) => round[name]));
    return {
      count: rounds.reduce((sum, { count }) => sum + count, 0),
      p50: middle('p50'),
      p95: middle('p95'),
      p99: middle('p99'),
      max: middle('max'),
    };
  };
  const refused = new Map<string, number>();
  for (const [what, count] of usages.flatMap((usage) => [...usage.refused]))
    refused.set(what, (refused.get(what) ?? 0) + count);
  return {
    rest: medianOf('rest'),
    heartbeats: medianOf('heartbeats'),
    deliveries: medianOf('deliveries'),
    purchases: medianOf('purchases'),
    refused,
  };
}

/** Milliseconds from the event to its first request, of what was queued since; Infinity for one that never came. */
async function waitForDeliveries(world: ChaosWorld, since: number): Promise<number[]> {
  const own = async () =>
    (await readDeliveries(world)).filter(({ url, createdAt }) => url?.includes('/ok/') && createdAt >= since);
  await waitUntil(async () => (await own()).every(({ status }) => status !== 'waiting'), arriveMaxMs);
  const deliveries = await own();
  const waits = firstWaits(deliveries, await world.receiver.receipts());
  return [...waits, ...Array.from({ length: deliveries.length - waits.length }, () => Infinity)];
}
