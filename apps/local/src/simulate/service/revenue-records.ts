// Reads revenue events and their sums, over the API only.
import type { Api } from './api.ts';

export interface RevenueEvent {
  id: string;
  type: string;
  sourceEventId: string;
  amountMinor: number;
  currency: string;
  /** The state of its payment. Null while it has none. */
  state: string | null;
  credit: RevenueCredit;
}

export interface RevenueCredit {
  level: string;
  matchedBy: string | null;
  reason: string | null;
  webinarId: string | null;
  registrationId: string | null;
  interactionId: string | null;
}

export interface CurrencyTotals {
  currency: string;
  grossMinor: number;
  refundsMinor: number;
  chargebacksMinor: number;
  netMinor: number;
}

/** Sums by currency. Of the account, or of a webinar. */
export async function readRevenueTotals(
  api: Api,
  webinarId?: string,
): Promise<ReadonlyMap<string, CurrencyTotals>> {
  const { totals } = await api.get<{ totals: CurrencyTotals[] }>(
    `/revenue/summary?${rangeOfRun()}${webinarId === undefined ? '' : `&webinarId=${webinarId}`}`,
  );
  return new Map(totals.map((one) => [one.currency, one]));
}

/** The revenue events of a simulation. */
export async function readRevenueEvents(api: Api, run: string): Promise<RevenueEvent[]> {
  const events: RevenueEvent[] = [];
  for await (const event of api.list<RevenueEvent>(`/revenue/events?${rangeOfRun()}`))
    if (event.sourceEventId.includes(`_${run}_`)) events.push(event);
  return events;
}

/** The sentences that explain the credit of a revenue event. */
export const readExplanation = async (api: Api, id: string): Promise<string[]> =>
  (await api.get<{ explanation: string[] }>(`/revenue/events/${id}`)).explanation;

const dayMs = 86_400_000;
const startedAt = Date.now();

/** The whole days of a simulation, also of one that goes on over midnight. The sums are kept by day. */
function rangeOfRun(): string {
  const day = (ms: number): string => `${new Date(ms).toISOString().slice(0, 10)}T00:00:00.000Z`;
  return `from=${day(startedAt)}&to=${day(startedAt + 2 * dayMs)}`;
}
