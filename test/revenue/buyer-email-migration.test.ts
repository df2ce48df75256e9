// A database from before events had the e-mail address of their payment.
import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { createFormerDatabase } from '../support/former-database.ts';

const ours = '20261123134300-add-buyer-email';

test('an event gets its own e-mail address, else that of its payment in the same account', async () => {
  await using database = await createFormerDatabase((name) => name < ours);
  const { pool } = database;
  const accountId = createId();
  const [payment, refund, other] = [createId(), createId(), createId()] as const;
  const events = [
    [payment, 'purchase', null, payment],
    [refund, 'refund', 'grace@example.com', payment],
    [other, 'refund', null, null],
  ];
  for (const [id, type, email, paymentId] of events) {
    await pool.query(
      `insert into revenue.revenue_event (account_id, id, provider, event_id, object_id, type, email, amount_minor, currency,
         occurred_at, received_at, payment_keys)
       values ($1, $2::uuid, 'stripe', $2::uuid::text, $2::uuid::text, $3, $4, 0, 'EUR', now(), now(), '{}')`,
      [accountId, id, type, email],
    );
    await pool.query(
      `insert into revenue.credit (account_id, id, payment_id, pairing, level, occurred_at)
       values ($1, $2, $3, 'own', 'unattributed', now())`,
      [accountId, id, paymentId],
    );
  }
  for (const [account, email] of [
    [accountId, 'ada@example.com'],
    [createId(), 'stranger@example.com'],
  ])
    await pool.query(
      `insert into revenue.payment (account_id, id, provider, email, currency, amount_minor, refunded_minor, charged_back_minor,
         state, over_refunded, occurred_at, first_key)
       values ($1, $2, 'stripe', $3, 'EUR', 0, 0, 0, 'paid', false, now(), 'pi_1')`,
      [account, payment, email],
    );
  expect(await database.migrate((name) => name <= ours)).toEqual([ours]);
  const { rows } = await pool.query('select id, buyer_email from revenue.credit');
  expect(new Map(rows.map(({ id, buyer_email: email }) => [id, email]))).toEqual(
    new Map([
      [payment, 'ada@example.com'],
      [refund, 'grace@example.com'],
      [other, null],
    ]),
  );
});
