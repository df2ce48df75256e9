// Reads revenue events and their sums, over the API only.
import type { Client, RevenueCredit, RevenueEvent, RevenueTotal } from '@service/client';

/** The fields of a revenue event that are compared. */
export interface ComparedEvent extends Pick<
  RevenueEvent,
  'id' | 'type' | 'sourceEventId' | 'amountMinor' | 'currency' | 'state'
> {
  credit: Pick<
    RevenueCredit,
    'level' | 'matchedBy' | 'reason' | 'webinarId' | 'registrationId' | 'interactionId'
  >;
}

export type CurrencyTotals = Pick<
  RevenueTotal,
  'currency' | 'grossMinor' | 'refundsMinor' | 'chargebacksMinor' | 'netMinor'
>;

/** Sums by currency. Of the account, or of a webinar. */
export async function readRevenueTotals(
  client: Client,
  webinarId?: string,
): Promise<ReadonlyMap<string, CurrencyTotals>> {
  const { data } = await client.getRevenueSummary({ query: { ...rangeOfRun(), webinarId } });
  return new Map(data.totals.map((one) => [one.currency, one]));
}

/** The revenue events of a simulation. */
export async function readRevenueEvents(client: Client, run: string): Promise<ComparedEvent[]> {
  const events: ComparedEvent[] = [];
  for await (const event of client.listRevenueEvents.all({ query: rangeOfRun() }))
    if (event.sourceEventId.includes(`_${run}_`)) events.push(event);
  return events;
}

/** The sentences that explain the credit of a revenue event. */
export const readExplanation = async (client: Client, id: string): Promise<string[]> =>
  (await client.getRevenueEvent({ path: { revenueEventId: id } })).data.explanation;

const dayMs = 86_400_000;
const startedAt = Date.now();

/** The whole days of a simulation, also of one that goes on over midnight. The sums are kept by day. */
function rangeOfRun(): { from: string; to: string } {
  const day = (ms: number): string => `${new Date(ms).toISOString().slice(0, 10)}T00:00:00.000Z`;
  return { from: day(startedAt), to: day(startedAt + 2 * dayMs) };
}
