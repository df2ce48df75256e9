// After the session: waits until the service has recorded everything, then compares.
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@service/client';
import type { SimulatedAttendee, World } from '../attendee/simulated-attendee.ts';
import type { Programme } from '../programme.ts';
import type { Receipts } from '../service/receipts.ts';
import { readRecords, readResults, readStats } from '../service/records.ts';
import {
  readExplanation,
  readRevenueEvents,
  readRevenueTotals,
  type CurrencyTotals,
} from '../service/revenue-records.ts';
import type { Setup } from '../service/setup.ts';
import type { Progress } from '../simulation-progress.ts';
import { expectationsOf, type Attendee } from './expectations.ts';
import { reconcileRevenue } from './reconcile-revenue.ts';
import { reconcile, reconcileResults, reconcileStats, type Reconciliation } from './reconcile.ts';
import { settle } from './settle.ts';

interface Played {
  world: World;
  attendees: readonly SimulatedAttendee[];
  setup: Setup;
  programme: Programme;
  receipts: Receipts;
  /** Sums of the account before the first purchase. Undefined without a shop. */
  revenueBefore: ReadonlyMap<string, CurrencyTotals> | undefined;
}

interface CompareOptions {
  client: Client;
  /** Number of attendees that are compared in full. */
  checked: number;
  progress: Progress;
  /** Aborted to stop waiting for open pages. */
  stop: AbortSignal;
  stopNow: AbortSignal;
}

/** Null when it was aborted. */
export async function compareWithRecords(
  played: Played,
  options: CompareOptions,
): Promise<Reconciliation | null> {
  const { world, setup, programme } = played;
  const { client, progress, stopNow } = options;
  progress.show(() => `Open pages: ${world.counters.openTabs}`);
  await lastCalls(world, options);
  progress.show(() => 'The payment providers send the rest');
  await world.shop?.close(played.attendees);
  const hasWebhooks = setup.webhooks !== undefined;
  const receipts = hasWebhooks ? played.receipts : undefined;
  const attendees = played.attendees.map(({ registrationId, email, actionLog }): Attendee => ({
    registrationId,
    email,
    expected: expectationsOf(actionLog, { programme, interactions: setup.interactions, hasWebhooks }),
  }));
  let missing = '';
  progress.show(() => `Waiting for ${missing}`);
  await settle(client, setup, { attendees, receipts, onWait: (what) => (missing = what), stop: stopNow });
  if (stopNow.aborted) return null;

  const checked = sample(attendees, Math.min(options.checked, attendees.length));
  let read = 0;
  progress.show(() => `Reading records: ${read} of ${checked.length}`);
  const isEverybody = checked.length === attendees.length;
  const records = await readRecords(client, setup, {
    checked,
    isEverybody,
    onRead: (count) => (read = count),
  });
  const actionLogs = played.attendees.map(({ actionLog }) => actionLog);
  const parts = [
    reconcile(attendees, records, receipts),
    reconcileStats(actionLogs, await readStats(client, setup)),
    reconcileResults(attendees, await readResults(client, setup)),
    ...(await compareRevenue(played, client)),
  ];
  return {
    lines: parts.flatMap(({ lines }) => lines),
    differences: parts.flatMap(({ differences }) => differences),
  };
}

/** Empty without a shop. */
async function compareRevenue(
  { world: { shop }, setup, revenueBefore: before }: Played,
  client: Client,
): Promise<Reconciliation[]> {
  if (!shop || !before) return [];
  const events = await readRevenueEvents(client, shop.run);
  const explanations = new Map<string, string[]>();
  for (const { id, credit } of events)
    if (credit.level === 'unattributed') explanations.set(id, await readExplanation(client, id));
  const { webinarId, interactions } = setup;
  const ofWebinar = await readRevenueTotals(client, webinarId);
  const after = await readRevenueTotals(client);
  const sold = { orders: shop.orders(), sent: shop.sent(), webinarId, offerId: interactions.offer };
  return [reconcileRevenue(sold, { events, before, after, ofWebinar, explanations })];
}

async function lastCalls({ counters, room }: World, { stop, stopNow }: CompareOptions): Promise<void> {
  const isDone = (): boolean => room.pending() === 0 && (counters.openTabs === 0 || stop.aborted);
  while (!isDone() && !stopNow.aborted) await wait(100);
}

/** An evenly spread sample, so that it contains attendees of every batch. */
const sample = <Item>(items: readonly Item[], count: number): Item[] =>
  Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]!);
