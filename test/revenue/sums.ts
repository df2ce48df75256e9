// Sums of revenue as the list of events says them, beside those of the summary.
import { expect } from 'vitest';
import type { World } from '../support/world.ts';

export interface Event {
  type: string;
  source: string;
  /** The amount that counts: 0 for a reversal that waits for its refund. */
  countedMinor: number;
  currency: string;
  occurredAt: string;
  credit: { level: string; webinarId: string | null; interactionId: string | null; utmSource: string | null };
}

const nothing = {
  grossMinor: 0,
  refundsMinor: 0,
  chargebacksMinor: 0,
  netMinor: 0,
  purchases: 0,
  refunds: 0,
  chargebacks: 0,
};
type Sums = typeof nothing;
const names = Object.keys(nothing) as (keyof Sums)[];

type Group = Sums & { key?: string | null; currency: string };

const fields: Record<string, [sum: keyof Sums, count: keyof Sums, by: number]> = {
  purchase: ['grossMinor', 'purchases', 1],
  // A purchase that was taken back is none.
  purchase_reversal: ['grossMinor', 'purchases', -1],
  refund: ['refundsMinor', 'refunds', 1],
  chargeback: ['chargebacksMinor', 'chargebacks', 1],
  refund_reversal: ['refundsMinor', 'refunds', 0],
};

/** Sums of events, by currency and key. Groups in which only reversals wait are no groups. */
export function sumUp(
  events: readonly Event[],
  keyOf: (event: Event) => string | null = () => null,
): Record<string, Sums> {
  const groups: Record<string, Sums> = {};
  for (const event of events) {
    const sums = (groups[`${event.currency} ${keyOf(event)}`] ??= { ...nothing });
    const [sum, count, by] = fields[event.type]!;
    sums[sum] += event.countedMinor;
    sums.netMinor += event.countedMinor;
    sums[count] += by;
  }
  const isGroup = (sums: Sums): boolean => names.some((name) => sums[name] !== 0);
  return Object.fromEntries(Object.entries(groups).filter(([, sums]) => isGroup(sums)));
}

/** The groups or totals of a summary in the same form. */
export const groupsOf = (groups: readonly Group[]): Record<string, Sums> =>
  Object.fromEntries(
    groups.map(({ key = null, currency, ...group }) => [
      `${currency} ${key}`,
      Object.fromEntries(names.map((name) => [name, group[name]])) as Sums,
    ]),
  );

export async function readEvents(world: World, query: Record<string, string> = {}): Promise<Event[]> {
  const events: Event[] = [];
  for (let cursor: string | undefined; ;) {
    const params = new URLSearchParams({ ...query, limit: '100', ...(cursor && { cursor }) });
    const { status, json, text } = await world.rest(`GET /revenue/events?${params.toString()}`);
    expect(status, text).toBe(200);
    events.push(...json.data);
    if (!json.pagination.hasMore) return events;
    cursor = json.pagination.nextCursor;
  }
}

export async function summaryOf(world: World, query: Record<string, string>) {
  const params = new URLSearchParams(query).toString();
  const { status, json, text } = await world.rest(`GET /revenue/summary?${params}`);
  expect(status, text).toBe(200);
  return json.data;
}
