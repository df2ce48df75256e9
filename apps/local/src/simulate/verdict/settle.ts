import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@service/client';
import type { Receipts } from '../service/receipts.ts';
import type { Attendee } from './expectations.ts';
import { missingDeliveries } from './reconcile.ts';
import type { Setup } from '../service/setup.ts';

interface SettleOptions {
  attendees: readonly Attendee[];
  receipts: Receipts | undefined;
  /** Called with the missing records. */
  onWait(what: string): void;
  stop: AbortSignal;
}

const everyMs = 1000;
/** It gives up after this time without progress. Everything is due within seconds of the session's end. */
const patienceMs = 60_000;
const longestMs = 15 * 60_000;
/** A second delivery of the same event would come soon after the first. */
const quietMs = 2000;

/** Waits until all attendees have left or are no-shows and all deliveries have come, or until there is no progress any more. */
export async function settle(client: Client, setup: Setup, options: SettleOptions): Promise<void> {
  const { onWait, stop } = options;
  const startedAtMs = performance.now();
  let missing = '';
  for (let sinceMs = startedAtMs; !stop.aborted;) {
    const nowMs = performance.now();
    const still = await findMissing(client, setup, options);
    if (still === '') {
      await wait(quietMs, undefined, { signal: stop }).catch(() => undefined);
      return;
    }
    if (still !== missing) sinceMs = nowMs;
    missing = still;
    if (nowMs - sinceMs > patienceMs || nowMs - startedAtMs > longestMs) return;
    onWait(missing);
    await wait(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

async function findMissing(
  client: Client,
  setup: Setup,
  { attendees, receipts }: SettleOptions,
): Promise<string> {
  const deliveries = receipts ? [...missingDeliveries(attendees, receipts)] : [];
  if (deliveries.length > 0) return deliveries.map(([source, count]) => `${count} ${source}`).join(', ');
  // Only when all deliveries have come, so that the API is called once or twice in all.
  const statuses = await Promise.all(
    (['attending', 'registered'] as const).map((status) => hasAny(client, setup, status)),
  );
  return statuses.filter((status) => status !== undefined).join(', ');
}

async function hasAny(
  client: Client,
  { webinarId }: Setup,
  status: 'attending' | 'registered',
): Promise<string | undefined> {
  const { data } = await client.listRegistrations({ path: { webinarId }, query: { status, limit: 1 } });
  return data.length > 0 ? `registrations that are still "${status}"` : undefined;
}
