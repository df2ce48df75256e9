// Revenue of a workspace: two currencies over 60 days, with refunds, chargebacks and buyers who are not registered.
import type { TestAccount, TestApi } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { signGeneric } from '../support/shop.ts';

const dayMs = 24 * 3_600_000;
const batch = 25;

interface Sales {
  events: number;
  /** The attendees ada0, ada1 and so on. */
  buyers: number;
}

/** Sends events to the generic source, and one that is refused. Returns the id of the newest purchase. */
export async function sellMany(
  service: TestApi,
  account: TestAccount,
  { events: count, buyers }: Sales,
): Promise<string> {
  const owner = await openDashboard(service, account);
  const { secret } = await owner.mutate('revenueSources.createSecret', {});
  const sources = (await owner.query('revenueSources.list')) as { provider: string; url: string }[];
  const { url } = sources.find(({ provider }) => provider === 'generic')!;
  const post = async (event: object) => {
    const body = JSON.stringify(event);
    const headers = { 'X-Service-Signature': signGeneric(secret, body) };
    const answer = await fetch(url, { method: 'POST', headers, body });
    return { status: answer.status, json: (await answer.json()) as { id?: string } };
  };
  let newest = '';
  for (let from = 0; from < count; from += batch) {
    const events = Array.from({ length: Math.min(batch, count - from) }, (_unused, index) =>
      eventAt(from + index, buyers),
    );
    for (const { status, json } of await Promise.all(events.map(post))) {
      if (status !== 202) throw new Error(`The source answered ${status}: ${JSON.stringify(json)}`);
      newest ||= json.id!;
    }
  }
  await post({ ...eventAt(0, buyers), event_id: 'refused', amount_minor: 12.5 });
  return newest;
}

/** The newest first. Each refund and chargeback is of the purchase before it. */
function eventAt(index: number, buyers: number) {
  const isYen = index % 7 === 3;
  const reversal = index % 9 === 8 ? 'chargeback' : index % 5 === 4 ? 'refund' : undefined;
  const amount = isYen ? 1200 : 7900 + 100 * (index % 13);
  return {
    event_id: `order-${index}`,
    type: reversal ?? 'purchase',
    email: index % 4 === 3 ? `unknown${index}@example.com` : `ada${index % buyers}@example.com`,
    amount_minor: reversal ? -Math.round(amount / 2) : amount,
    currency: isYen ? 'JPY' : 'EUR',
    original_transaction_id: reversal ? `order-${index + 1}` : null,
    timestamp: new Date(Date.now() - (index % 60) * dayMs).toISOString(),
  };
}
