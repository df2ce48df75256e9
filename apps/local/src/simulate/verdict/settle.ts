import { setTimeout as wait } from 'node:timers/promises';
import type { Api } from '../service/api.ts';
import type { Receipts } from '../service/receipts.ts';
import type { Attendee } from './attendees.ts';
import { missingDeliveries } from './reconcile.ts';
import type { Stage } from '../service/stage.ts';

interface SettleOptions {
  attendees: readonly Attendee[];
  receipts: Receipts | undefined;
  /** Told what is still waited for. */
  onWait(what: string): void;
  stop: AbortSignal;
}

const everyMs = 1000;
/** Without any progress for that long nothing more is to be expected: everything is due within seconds of the session's end. */
const patienceMs = 60_000;
const longestMs = 15 * 60_000;
/** What comes twice comes soon after. */
const quietMs = 2000;

/** Waits until everybody has left or is a no-show and all that should be delivered is, or nothing happens any more. */
export async function settle(api: Api, stage: Stage, options: SettleOptions): Promise<void> {
  const { onWait, stop } = options;
  const startedAtMs = performance.now();
  let missing = '';
  for (let sinceMs = startedAtMs; !stop.aborted;) {
    const nowMs = performance.now();
    const still = await whatIsMissing(api, stage, options);
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

async function whatIsMissing(
  api: Api,
  stage: Stage,
  { attendees, receipts }: SettleOptions,
): Promise<string> {
  const deliveries = receipts ? [...missingDeliveries(attendees, receipts)] : [];
  if (deliveries.length > 0) return deliveries.map(([source, count]) => `${count} ${source}`).join(', ');
  // Only when all is delivered, so that the API is asked once or twice in all.
  const statuses = await Promise.all(
    (['attending', 'registered'] as const).map((status) => hasAny(api, stage, status)),
  );
  return statuses.filter((status) => status !== undefined).join(', ');
}

async function hasAny(
  api: Api,
  { webinarId }: Stage,
  status: 'attending' | 'registered',
): Promise<string | undefined> {
  for await (const _registration of api.list(`/webinars/${webinarId}/registrations?status=${status}`))
    return `registrations that are still "${status}"`;
  return undefined;
}
