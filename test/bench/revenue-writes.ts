// Events a second through the address of the generic source, and the most that this machine can write of the same rows.
import { createId } from '@service/database';
import pg from 'pg';
import { payloadOf, signGeneric } from '../support/shop.ts';
import { measureLoad, type LoadFigures } from './load.ts';

export interface Shop {
  accountId: string;
  secret: string;
  /** Of a person who has registered. */
  emailOf: (index: number) => string;
}

interface Writes {
  requests: number;
  concurrency: number;
  /** Makes event ids different from those of other rounds. */
  round: string;
}

/** Purchases of registered people, each signed and sent alone. */
export function measureIntake(
  origin: string,
  { accountId, secret, emailOf }: Shop,
  { requests, concurrency, round }: Writes,
): Promise<LoadFigures> {
  const path = `/api/webhooks/revenue/${accountId}/generic`;
  return measureLoad({
    origin,
    requests,
    concurrency,
    status: 202,
    request(index) {
      const body = JSON.stringify(payloadOf({ event_id: `${round}_${index}`, email: emailOf(index) }));
      const signature = { 'x-service-signature': signGeneric(secret, body) };
      return { method: 'POST', path, headers: { 'content-type': 'application/json', ...signature }, body };
    },
  });
}

const insertEvent = {
  name: 'event',
  text: `insert into revenue.revenue_event (account_id, id, provider, event_id, object_id, type, email, amount_minor, currency,
      occurred_at, received_at, payment_keys)
    values ($1, $2, 'bare', $3, $3, 'purchase', $4, 4900, 'EUR', now(), now(), array[$3])`,
};
const insertKey = {
  name: 'key',
  text: `insert into revenue.event_key (account_id, provider, key, revenue_event_id, kind) values ($1, 'bare', $3, $2, 'payment')`,
};
const insertPayment = {
  name: 'payment',
  text: `insert into revenue.payment (account_id, id, provider, email, currency, amount_minor, refunded_minor,
      charged_back_minor, state, over_refunded, occurred_at, first_key)
    values ($1, $2, 'bare', $4, 'EUR', 4900, 0, 0, 'paid', false, now(), $3)`,
};
const insertCredit = {
  name: 'credit',
  text: `insert into revenue.credit (account_id, id, payment_id, pairing, buyer_email, webinar_id, session_id, registration_id, level, matched_by,
      touch_at, window_days, considered, credited_at, occurred_at)
    select $1, $2, $2, 'own', email, webinar_id, session_id, id, 'registered', 'email', registered_at, 30,
      '{"touches": [], "moreCount": 0, "isCut": false, "isNamed": false}', now(), now()
    from attendees.registration where account_id = $1 and email = $3`,
};

/**
 * Writes that many purchases in transactions of their own, returns how many a second. Leaves out the totals: their rows are the
 * same for all events, so a loop would only wait for them.
 */
export async function measureBareRevenue(
  url: string,
  { accountId, emailOf }: Shop,
  { requests, concurrency, round }: Writes,
): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  let started = 0;
  const writeOne = async (index: number): Promise<void> => {
    const id = createId();
    const eventId = `bare_${round}_${index}`;
    const client = await pool.connect();
    const run = (statement: { name: string; text: string }, values: unknown[]) =>
      client.query({ ...statement, values });
    try {
      await client.query('begin');
      await run(insertEvent, [accountId, id, eventId, emailOf(index)]);
      await run(insertKey, [accountId, id, eventId]);
      await run(insertPayment, [accountId, id, eventId, emailOf(index)]);
      await run(insertCredit, [accountId, id, emailOf(index)]);
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  const lane = async (): Promise<void> => {
    while (started < requests) await writeOne(started++);
  };
  const startedAt = performance.now();
  try {
    await Promise.all(Array.from({ length: concurrency }, lane));
    return (1000 * requests) / (performance.now() - startedAt);
  } finally {
    await pool.end();
  }
}
