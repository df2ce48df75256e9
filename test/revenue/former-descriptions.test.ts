// Purchases that were recorded before their descriptions were kept with kinds and amounts, as a migration has left them.
import { createId } from '@service/database';
import { createAttribution, recordFacts, type RevenueFact } from '@service/revenue';
import { expect, test } from 'vitest';
import { silent } from '../attendees/clock-world.ts';
import { testDatabase } from '../support/database.ts';
import { writeAs } from '../support/factories.ts';
import { expectSums, readLedger } from './ledger-reads.ts';
import { at, purchase, refund } from './ledger-world.ts';

test('a payment from before has the amount of its invoice until a part of the invoice arrives, and every description is known', async () => {
  await using db = await testDatabase();
  const { database } = db;
  const { pool } = database;
  const [accountId, id] = [createId(), createId()];
  await pool.query(
    `insert into revenue.revenue_event (account_id, id, provider, event_id, object_id, type, amount_minor, currency, occurred_at,
       received_at, payment_keys)
     values ($1, $2, 'stripe', 'evt_in', 'in_1', 'purchase', 1000, 'EUR', $3, $3, '{in_1}')`,
    [accountId, id, at(0)],
  );
  await pool.query(
    `insert into revenue.credit (account_id, id, payment_id, pairing, level, reason, occurred_at)
     values ($1, $2, $2, 'own', 'unattributed', 'no_email', $3)`,
    [accountId, id, at(0)],
  );
  await pool.query(
    `insert into revenue.payment (account_id, id, provider, currency, amount_minor, refunded_minor, charged_back_minor, state,
       over_refunded, occurred_at, first_key)
     values ($1, $2, 'stripe', 'EUR', 1000, 0, 0, 'paid', false, $3, 'ch_1')`,
    [accountId, id, at(0)],
  );
  await pool.query(
    `insert into revenue.purchase_description (account_id, provider, event_id, payment_id, occurred_at, received_at, object_id, kind,
       amount_minor, currency, own_keys, joined_keys, shared_keys)
     values ($1, 'stripe', 'evt_ch', $2, $3, $3, 'evt_ch', 'unknown', null, null, '{ch_1,pi_1}', '{in_1}', '{}'),
       ($1, 'stripe', 'evt_in', $2, $3, $3, 'in_1', 'invoice', 1000, 'EUR', '{}', '{in_1}', '{}')`,
    [accountId, id, at(0)],
  );
  await pool.query(
    `insert into revenue.event_key (account_id, key, provider, revenue_event_id, kind)
     select $1, key, 'stripe', $2, 'payment' from unnest('{in_1,ch_1,pi_1}'::text[]) key`,
    [accountId, id],
  );
  await pool.query(
    `insert into revenue.total (account_id, webinar_id, dimension, day, currency, key, gross_minor, refunds_minor,
       chargebacks_minor, purchases, refunds, chargebacks)
     select $1, '00000000-0000-0000-0000-000000000000', dimension, $2::timestamptz, 'EUR', key, 1000, 0, 0, 1, 0, 0
     from (values ('level', 'unattributed'), ('webinar', ''), ('offer', ''), ('utm_source', ''), ('source', 'stripe'))
       as field (dimension, key)`,
    [accountId, at(0)],
  );
  await pool.query(
    `insert into revenue.quarter_total (account_id, webinar_id, quarter, currency, gross_minor, refunds_minor, chargebacks_minor,
       purchases, refunds, chargebacks)
     values ($1, '00000000-0000-0000-0000-000000000000', date_bin('15 minutes', $2, timestamptz 'epoch'), 'EUR', 1000, 0, 0, 1, 0, 0)`,
    [accountId, at(0)],
  );

  const ledger = {
    accountId,
    query: async (text: string, values?: unknown[]) => (await pool.query(text, values)).rows,
  };
  const attribution = createAttribution({ subscriber: silent });
  const record = (facts: RevenueFact[]) =>
    writeAs(database, accountId, (tx) => recordFacts(tx, facts, attribution));
  await expectSums(ledger);
  const stripe = { provider: 'stripe', email: null };
  const known = purchase('ch_1', { ...stripe, eventId: 'evt_ch', kind: 'charge', amountMinor: 600 });
  const invoice = purchase('in_1', { ...stripe, eventId: 'evt_in', kind: 'invoice', joinedKeys: ['in_1'] });
  const repeated = await record([
    known,
    invoice,
    refund('re_1', { ...stripe, amountMinor: -100, paymentKeys: ['pi_1'] }),
  ]);
  expect(repeated).toMatchObject([{ id, isNew: false }, { id, isNew: false }, { isNew: true }]);
  const seen = async () => {
    await expectSums(ledger);
    const { payments } = await readLedger(ledger);
    return payments.map(({ amount_minor, refunded_minor }) => `${amount_minor} ${refunded_minor}`);
  };
  expect(await seen()).toEqual(['1000 100']);
  const part = { ...stripe, kind: 'invoice_payment' as const, joinedKeys: ['in_1'] };
  await record([purchase('inpay_1', { ...part, amountMinor: 600, paymentKeys: ['pi_1', 'in_1'] })]);
  expect(await seen()).toEqual(['600 100']);
  await record([purchase('inpay_2', { ...part, amountMinor: 400, paymentKeys: ['pi_2', 'in_1'] })]);
  expect((await seen()).toSorted()).toEqual(['400 0', '600 100']);
});
