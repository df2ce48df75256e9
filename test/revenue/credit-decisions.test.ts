// An owner credits a payment by hand, takes its credit away, and leaves it to the rule again.
import { expect, test } from 'vitest';
import { createTestMember } from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { createAttributionWorld, factOf, neighbourOf } from './attribution-world.ts';

const dayMs = 86_400_000;

test('a purchase without a credit names people with nearly its address, is credited by hand to one of them, and says who did it and why', async () => {
  await using world = await createAttributionWorld();
  const { attendee, at } = await world.click('anna.berg@example.com');
  await world.attend('bob@example.com');
  const id = await world.record('purchase', { email: 'anna.berk@example.com', occurredAt: at });
  const before = await world.event(id);
  expect(before.credit).toMatchObject({ reason: 'no_match', decision: null });
  expect(before.explanation).toEqual([
    'Not credited: anna.berk@example.com was registered for no webinar of this workspace at the time of the purchase.',
    'Something that they did up to 30 days before the purchase would have led to a credit.',
  ]);
  const near = await world.owner.query('revenue.nearMatches', { revenueEventId: id });
  expect(near).toMatchObject([{ registrationId: attendee.registrationId, email: 'anna.berg@example.com' }]);

  const decision = { revenueEventId: id, registrationId: attendee.registrationId, why: 'Typing error' };
  await world.owner.mutate('revenue.decideCredit', decision);
  const after = await world.event(id);
  expect(after.credit).toMatchObject({
    level: 'offer_click',
    registrationId: attendee.registrationId,
    interactionId: world.offer,
    reason: null,
    decision: { why: 'Typing error' },
  });
  expect(after.explanation[0]).toMatch(/^Credited by hand by .+ on .+ UTC: “Typing error”\.$/);
  expect(await netOf(world)).toEqual([['offer_click', 1000]]);
});

test('near matches have an address with dots, and a buyer who registered later, among more than 200 people with the same beginning', async () => {
  await using world = await createAttributionWorld();
  const nearOf = async (email: string) => {
    const purchase = { email, occurredAt: new Date(Date.now() - dayMs) };
    const revenueEventId = await world.record('purchase', purchase);
    const near = await world.owner.query('revenue.nearMatches', { revenueEventId });
    return near.map((person: { email: string }) => person.email);
  };
  const first = await world.register('anna@example.com');
  await world.register('anna.berg@other.example');
  await world.service.db.database.pool.query(
    `insert into attendees.registration (account_id, id, webinar_id, session_id, name, email, source, registered_at)
     select account_id, gen_random_uuid(), webinar_id, session_id, name, 'anna' || n || '@example.com', source, registered_at
     from attendees.registration, generate_series(1, 250) as n where id = $1`,
    [first],
  );
  expect(await nearOf('anna.berg+shop@example.com')).toEqual(['anna.berg@other.example']);
  expect(await nearOf('anna@example.com')).toContain('anna@example.com');
});

test('a credit that an owner took away stays away when the payment is described again, tried again, and after another window', async () => {
  await using world = await createAttributionWorld();
  const { attendee, at } = await world.click('ada@example.com');
  const fact = factOf('purchase', { amountMinor: 5000, occurredAt: at });
  const [id] = await world.recordAll([fact]);
  const refundId = await world.record('refund', { paymentKeys: fact.paymentKeys, occurredAt: at });
  expect((await world.event(id!)).credit.registrationId).toBe(attendee.registrationId);
  await world.owner.mutate('revenue.decideCredit', {
    revenueEventId: refundId,
    registrationId: null,
    why: 'Own staff',
  });
  await world.recordAll([{ ...fact, eventId: 'again', email: 'ada@example.com', clickId: 'unknown' }]);
  await world.work();
  await world.owner.mutate('revenueWindow.change', { windowDays: 90 });
  await world.finishRuns();
  for (const eventId of [id!, refundId]) {
    const { credit, explanation } = await world.event(eventId);
    expect(credit).toMatchObject({ level: 'unattributed', reason: 'taken_away', registrationId: null });
    expect(explanation.at(-1)).toMatch(/^The credit was taken away by .+: “Own staff”\.$/);
  }
  expect(await netOf(world)).toEqual([['unattributed', 4000]]);

  await world.owner.mutate('revenue.endDecision', { revenueEventId: id });
  expect((await world.event(id!)).credit).toMatchObject({
    registrationId: attendee.registrationId,
    decision: null,
  });
  expect(await netOf(world)).toEqual([['offer_click', 4000]]);
});

test('renewals and payments that turn out to be one, or a renewal, have the decision about the first payment', async () => {
  await using world = await createAttributionWorld();
  const { attendee } = await world.click('ada@example.com');
  const other = { email: 'unknown@example.com', sharedKeys: ['sub_1'] };
  const id = await world.record('purchase', other);
  const renewalId = await world.record('purchase', {
    ...other,
    occurredAt: new Date(Date.now() + 30 * dayMs),
  });
  const { registrationId } = attendee;
  await world.owner.mutate('revenue.decideCredit', {
    revenueEventId: renewalId,
    registrationId,
    why: 'Team',
  });
  for (const eventId of [id, renewalId]) {
    expect((await world.event(eventId)).credit).toMatchObject({ registrationId, decision: { why: 'Team' } });
  }

  const earlierId = await world.record('purchase', { ...other, occurredAt: new Date(Date.now() - dayMs) });
  for (const eventId of [earlierId, id, renewalId]) {
    expect((await world.event(eventId)).credit).toMatchObject({ registrationId, decision: { why: 'Team' } });
  }

  // Both payments are known before a description says that one is a renewal of the other.
  const [first, later] = ['first', 'later'].map((key, index) =>
    factOf('purchase', { email: null, paymentKeys: [key], occurredAt: new Date(Date.now() + index * dayMs) }),
  );
  const [firstId, laterId] = await world.recordAll([first!, later!]);
  await world.owner.mutate('revenue.decideCredit', { revenueEventId: laterId, registrationId, why: 'Later' });
  await world.recordAll([{ ...later!, eventId: 'described', sharedKeys: ['first'] }]);
  for (const eventId of [firstId!, laterId!]) {
    expect((await world.event(eventId)).credit).toMatchObject({ registrationId, decision: { why: 'Later' } });
  }

  const [one, two] = ['one', 'two'].map((key) => factOf('purchase', { email: null, paymentKeys: [key] }));
  const ids = await world.recordAll([one!, two!]);
  await world.owner.mutate('revenue.decideCredit', { revenueEventId: ids[1], registrationId, why: 'Merged' });
  await world.recordAll([factOf('purchase', { email: null, paymentKeys: ['one', 'two'] })]);
  expect((await world.event(ids[0]!)).credit).toMatchObject({ registrationId, decision: { why: 'Merged' } });
});

test('members and other workspaces decide nothing, and no decision is made about an unknown registration or an unpaired refund', async () => {
  await using world = await createAttributionWorld();
  await using other = await neighbourOf(world);
  const { attendee } = await world.click('ada@example.com');
  const id = await world.record('purchase', { email: 'bob@example.com' });
  const foreign = await other.record('purchase', { email: 'bob@example.com' });
  const { registrationId } = attendee;
  const refusal = (input: object, by = world.owner): Promise<string> =>
    refusalOf(by.mutate('revenue.decideCredit', { why: 'Because', ...input }));
  const unpaired = await world.record('refund', { email: null });
  expect(await refusal({ revenueEventId: foreign, registrationId })).toBe('revenue_event_not_found');
  expect(await refusal({ revenueEventId: foreign, registrationId }, other.owner)).toBe(
    'registration_not_found',
  );
  expect(await refusal({ revenueEventId: unpaired, registrationId: null })).toBe('payment_unknown');
  const max = await openDashboard(world.service, await createTestMember(world.service, world.accountId));
  expect(await refusal({ revenueEventId: id, registrationId }, max)).toBe('owner_required');
  expect(await other.owner.query('revenue.nearMatches', { revenueEventId: foreign })).toEqual([]);
});

async function netOf({ rest }: Pick<Awaited<ReturnType<typeof createAttributionWorld>>, 'rest'>) {
  const { json } = await rest('GET /revenue/summary?by=level');
  return json.data.groups.map(({ key, netMinor }: { key: string; netMinor: number }) => [key, netMinor]);
}
