import { findSuppressed } from '@service/mails';
import { hashAddress } from '@service/secrets';
import { expect, test } from 'vitest';
import { createContactsWorld, createTestClock } from '../contacts/contacts-world.ts';
import { createAttributionWorld } from '../revenue/attribution-world.ts';
import { callRest, codeOf, createTestMember } from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { startReceiver } from '../support/receiver.ts';
import { openShop } from '../support/shop.ts';
import {
  createPersonWorld,
  email,
  eraseAll,
  findEverywhere,
  mailboxOf,
  requestErasure,
  trace,
} from './erasure-world.ts';

test('after an erasure nothing in the database names the person', async () => {
  await using receiver = await startReceiver();
  await using contacts = await createContactsWorld();
  const { world, fake, connectionId, sql } = contacts;
  const { shop, ada, idempotencyKey, body, friend } = await createPersonWorld(contacts, receiver.url);
  const { service, key, accountId } = world;
  expect(await findEverywhere(contacts, trace)).toEqual([
    'activity.api_call.idempotency_key',
    'activity.api_call.path',
    'activity.api_call.user_agent',
    'attendees.attendee_event.data',
    'attendees.presenter_message.reply_to',
    'attendees.registration.custom_fields',
    'attendees.registration.email',
    'attendees.registration.metadata',
    'attendees.registration.name',
    'automations.execution.condition_results',
    'connections.connection.reason',
    'contacts.change.contact',
    'contacts.run.after_contact',
    'contacts.send.contact',
    'contacts.send_values.contact',
    'deliveries.attempt.response_snippet',
    'deliveries.body.body',
    'idempotency.kept_answer.key',
    'mails.mail.to_address',
    'mails.provider_event.address',
    'mails.suppression.address',
    'mails.suppression.note',
    'revenue.credit.buyer_email',
    'revenue.credit_decision.why',
    'revenue.payment.email',
    'revenue.purchase_description.email',
    'revenue.refused_event.issues',
    'revenue.revenue_event.email',
  ]);
  expect(await shop.owner.mutate('registrations.erasePerson', { email: ` ${email.toUpperCase()}` })).toEqual({
    registrations: 1,
  });
  expect((await ada.beat()).status).toBe(410);
  await eraseAll(contacts);
  await contacts.send();
  await eraseAll(contacts, 601);
  // An import that the tool took before may have been written after the first erasure.
  await contacts.send();
  expect(await findEverywhere(contacts, trace)).toEqual([]);
  expect(await sql('select finished_at is not null as done from attendees.erasure')).toEqual([
    { done: true },
  ]);
  expect(await mailboxOf(contacts).list()).toEqual([]);

  const hash = hashAddress(accountId, email);
  expect(fake.erased).toEqual([email]);
  expect((await world.rest(`GET /connections/${connectionId}/sends`)).json.data).toContainEqual(
    expect.objectContaining({
      outcome: 'done',
      contact: `erased:${hash}`,
      registrationId: null,
      calls: ['Request profile deletion'],
    }),
  );
  const reader = { ...service.db.database, accountId };
  expect(await findSuppressed(reader, [email, 'bob@example.com'])).toEqual(new Set([email]));
  const [event] = (await world.rest('GET /revenue/events')).json.data;
  expect(event).toMatchObject({ email: null, amountMinor: 7900 });
  const again = await callRest(service, `POST /webinars/${world.webinar.id}/registrations`, {
    key,
    body,
    headers: { 'Idempotency-Key': idempotencyKey },
  });
  const friendAgain = await callRest(service, `POST /webinars/${world.webinar.id}/registrations`, friend);
  for (const retry of [again, friendAgain]) expect(codeOf(retry)).toEqual([409, 'idempotency_answer_erased']);
  expect((await world.get('/registrations')).map((one: { email: string }) => one.email)).toEqual([
    'bob@example.com',
  ]);
});

test('only an owner erases a person, and only in their own workspace', async () => {
  await using contacts = await createContactsWorld();
  const { world } = contacts;
  const neighbour = await world.neighbour();
  await world.register();
  await neighbour.register();
  const member = await openDashboard(world.service, await createTestMember(world.service, world.accountId));
  const erase = { email: 'ada@example.com' };
  expect(await refusalOf(member.mutate('registrations.erasePerson', erase))).toBe('owner_required');
  const owner = await openDashboard(world.service, world);
  expect(await owner.mutate('registrations.erasePerson', erase)).toEqual({ registrations: 1 });
  await eraseAll(contacts);
  expect(await world.get('/registrations')).toEqual([]);
  expect(await neighbour.get('/registrations')).toHaveLength(1);
});

test('a purchase of an erased person keeps its credit, and a repeated report of it is a duplicate', async () => {
  await using world = await createAttributionWorld();
  const shop = await openShop(world.service, world);
  await world.register();
  const report = { event_id: 'order-1', timestamp: new Date().toISOString() };
  const { id } = (await shop.report(report)).json;
  await world.owner.mutate('registrations.erasePerson', { email: 'ada@example.com' });
  await eraseAll({ world, clock: createTestClock() });
  await world.owner.mutate('revenueWindow.change', { windowDays: 1 });
  await world.finishRuns();
  expect(await world.event(id)).toMatchObject({ email: null, credit: { level: 'registered' } });
  expect((await shop.report(report)).json).toEqual({ id, status: 'duplicate' });
  await shop.report({ type: 'refund', amount_minor: -900, original_transaction_id: 'order-1' });
  const { data } = (await world.rest('GET /revenue/events?type=refund')).json;
  expect(data).toMatchObject([{ credit: { level: 'registered' } }]);
});

test('rows that the ledger derives from a purchase after the request lose the address too', async () => {
  await using world = await createAttributionWorld();
  const { database } = world.service.db;
  const stripe = { provider: 'stripe', joinedKeys: ['in_1'] };
  const invoice = { ...stripe, kind: 'invoice', objectId: 'in_1', paymentKeys: ['in_1'] } as const;
  await world.record('purchase', invoice);
  await world.owner.mutate('registrations.erasePerson', { email: 'ada@example.com' });
  const part = { ...stripe, kind: 'invoice_payment', objectId: 'inpay_1', email: null } as const;
  await world.record('purchase', { ...part, paymentKeys: ['pi_1', 'in_1'], amountMinor: 600 });
  await world.record('refund', { provider: 'stripe', email: null, paymentKeys: ['pi_1'], amountMinor: -100 });
  await world.record('purchase', { objectId: 'later' });
  await eraseAll({ world, clock: createTestClock() });
  const { rows } = await database.pool.query(
    `select e.type, e.event_id like 'corrected:%' as "isCorrection", e.email, c.buyer_email as "buyerEmail"
     from revenue.revenue_event e join revenue.credit c using (account_id, id) order by id`,
  );
  const none = { email: null, buyerEmail: null };
  const [email, buyerEmail] = ['ada@example.com', 'ada@example.com'];
  expect(rows).toEqual([
    { type: 'purchase', isCorrection: false, ...none },
    { type: 'purchase_reversal', isCorrection: true, ...none },
    { type: 'purchase', isCorrection: true, ...none },
    { type: 'refund', isCorrection: false, ...none },
    { type: 'purchase', isCorrection: false, email, buyerEmail },
  ]);
});

test('a delivery in flight is not sent again, and is deleted by the repetition', async () => {
  await using receiver = await startReceiver();
  await using contacts = await createContactsWorld();
  const { world, sql } = contacts;
  await world.subscribe(receiver.url);
  await world.register();
  await sql(
    `update deliveries.due set leased_until = now() + interval '1 minute', claim = gen_random_uuid()`,
  );
  await requestErasure(contacts, 'ada@example.com');
  await eraseAll(contacts);
  expect(await sql('select from deliveries.delivery')).toHaveLength(1);
  expect(await sql('select endpoint_id::text from deliveries.due')).toEqual([
    { endpoint_id: '00000000-0000-0000-0000-000000000000' },
  ]);
  await sql('update deliveries.due set leased_until = null, claim = null');
  await eraseAll(contacts, 601);
  for (const table of ['delivery', 'due', 'body'])
    expect(await sql(`select from deliveries.${table}`), table).toEqual([]);
  expect(await sql('select sum(waiting)::int as waiting from deliveries.usage')).toEqual([{ waiting: 0 }]);
});

test('an erasure that a former version has begun goes on at its cursor of deliveries', async () => {
  await using receiver = await startReceiver();
  await using contacts = await createContactsWorld();
  const { world, sql } = contacts;
  await world.subscribe(receiver.url);
  await world.register();
  await requestErasure(contacts, 'ada@example.com');
  await sql(`update attendees.erasure set step = 'deliveries', cursor = 'more'`);
  await eraseAll(contacts);
  expect(await sql('select from deliveries.delivery')).toEqual([]);
});

test('the repetition waits for a delivery in flight, and reads past it to all others', async () => {
  await using receiver = await startReceiver();
  await using contacts = await createContactsWorld();
  const { world, sql } = contacts;
  await world.subscribe(receiver.url);
  const id = await world.register();
  // The person has 1,101 deliveries. The first one is in flight, and a part of an erasure reads 500.
  await sql(
    `insert into deliveries.delivery (id, account_id, registration_id, endpoint_id, event_type, body, is_refire, attempts_max, created_at)
     select gen_random_uuid(), account_id, registration_id, endpoint_id, event_type, '{}', false, 1, created_at
     from deliveries.delivery, generate_series(1, 1100) where registration_id = $1`,
    [id],
  );
  await sql(
    `update deliveries.due set leased_until = now() + interval '1 minute', claim = gen_random_uuid()`,
  );
  await requestErasure(contacts, 'ada@example.com');
  await eraseAll(contacts);
  expect(await sql('select from deliveries.delivery')).toHaveLength(1);
  await eraseAll(contacts, 601);
  expect(await sql('select finished_at from attendees.erasure')).toEqual([{ finished_at: null }]);
  await sql('update deliveries.due set leased_until = null, claim = null');
  await eraseAll(contacts, 61);
  expect(await sql('select from deliveries.delivery')).toEqual([]);
  expect(await sql('select finished_at is not null as done from attendees.erasure')).toEqual([
    { done: true },
  ]);
});
