// Rows behind the rule of attribution. The rule itself has its cases in modules/revenue/src/attribution/attribute.test.ts.
import { randomUUID } from 'node:crypto';
import { accountWriter, createId, type AccountWriter } from '@service/database';
import { createAttribution } from '@service/revenue';
import { expect, test } from 'vitest';
import {
  createAttributionWorld,
  factOf,
  neighbourOf,
  secondsAfter,
  type AttributionWorld,
} from './attribution-world.ts';

const creditOf = async (world: AttributionWorld, id: string) => (await world.event(id)).credit;

test('a click id finds the attendee of the click, also when the buyer uses another e-mail address', async () => {
  await using world = await createAttributionWorld();
  const { attendee, clickId, at } = await world.click('ada@example.com');
  const id = await world.record('purchase', {
    email: 'ada@work.example',
    clickId: clickId.toUpperCase(),
    occurredAt: secondsAfter(at, 90),
  });
  const { credit, explanation } = await world.event(id);
  expect(credit).toMatchObject({
    level: 'offer_click',
    matchedBy: 'click_id',
    registrationId: attendee.registrationId,
    sessionId: attendee.sessionId,
    webinarId: world.webinar.id,
    interactionId: world.offer,
    touchAt: at.toISOString(),
    windowDays: 30,
  });
  expect(explanation[1]).toContain('clicked the offer “course-offer” in “Launch”');
  expect(explanation[1]).toContain('1 min 30 s before the purchase');
});

test('a click on a CTA finds the attendee and is no offer click', async () => {
  await using world = await createAttributionWorld();
  const cta = await world.interaction({ type: 'cta', url: 'https://shop.example/', buttonLabel: 'More' });
  const attendee = await world.attend('ada@example.com');
  world.startSession();
  await attendee.beat();
  const { json } = await attendee.click(cta);
  const clickId = new URL(json.redirectUrl).searchParams.get('svc_click');
  const id = await world.record('purchase', { email: null, clickId, occurredAt: world.clock.now() });
  expect(await creditOf(world, id)).toMatchObject({
    level: 'attended',
    matchedBy: 'click_id',
    interactionId: null,
  });
});

test('a registration id finds the attendee without any e-mail address', async () => {
  await using world = await createAttributionWorld();
  const registrationId = await world.register('ada@example.com');
  const id = await world.record('purchase', { email: null, registrationId });
  expect(await creditOf(world, id)).toMatchObject({
    level: 'registered',
    matchedBy: 'registration_id',
    registrationId,
  });
});

test('a purchase of the same attendee with a later join and click gets the strongest of them', async () => {
  await using world = await createAttributionWorld();
  const before = await world.record('purchase', { email: 'eve@example.com' });
  const eve = await world.attend('eve@example.com');
  world.startSession();
  await eve.watch(20);
  const joined = await world.record('purchase', { email: 'eve@example.com', occurredAt: world.clock.now() });
  await eve.click(world.offer);
  const clicked = await world.record('purchase', { email: 'eve@example.com', occurredAt: world.clock.now() });
  const credits = await Promise.all([before, joined, clicked].map((id) => creditOf(world, id)));
  expect(credits.map(({ level }) => level)).toEqual(['unattributed', 'attended', 'offer_click']);
  expect(credits[0].reason).toBe('no_match');
});

test('an alias of an address is another person', async () => {
  await using world = await createAttributionWorld();
  await world.register('ada@example.com');
  await world.register('a.b@example.com');
  const emails = ['ada+shop@example.com', 'ab@example.com', 'ada@example.com'];
  const ids = await world.recordAll(emails.map((email) => factOf('purchase', { email })));
  const credits = await Promise.all(ids.map((id) => creditOf(world, id)));
  expect(credits.map(({ reason }) => reason)).toEqual(['no_match', 'no_match', null]);
});

test('texts that are no ids of this workspace match nothing, and the e-mail address is tried next', async () => {
  await using world = await createAttributionWorld();
  await world.register('ada@example.com');
  const strange = [{ clickId: "cart'42; --" }, { clickId: randomUUID() }, { registrationId: 'order 7' }];
  const ids = await world.recordAll(strange.map((fields) => factOf('purchase', fields)));
  for (const id of ids)
    expect(await creditOf(world, id)).toMatchObject({ level: 'registered', matchedBy: 'email' });
});

test('an archived webinar and a deleted one keep their touches', async () => {
  await using world = await createAttributionWorld();
  const registered = await world.register('ada@example.com');
  const ids = [await world.record('purchase')];
  await world.call('POST /archive');
  ids.push(await world.record('purchase'));
  await world.service.db.database.pool.query(`update webinars.webinar set status = 'deleted' where id = $1`, [
    world.webinar.id,
  ]);
  ids.push(await world.record('purchase'));
  for (const id of ids) expect(await creditOf(world, id)).toMatchObject({ registrationId: registered });
  expect((await world.event(ids[1]!)).explanation[1]).toContain('registered for “Launch”');
});

test('a registration that was deleted matches nothing, and its address is tried next', async () => {
  await using world = await createAttributionWorld();
  const { attendee, clickId, at } = await world.click('ada@example.com');
  await world.register('bob@example.com');
  await world.service.db.database.pool.query('delete from attendees.registration where id = $1', [
    attendee.registrationId,
  ]);
  const sent = { clickId, registrationId: attendee.registrationId, occurredAt: at };
  const byEmail = await world.record('purchase', { ...sent, email: 'bob@example.com' });
  const unknown = await world.record('purchase', { ...sent, email: 'ada@example.com' });
  expect(await creditOf(world, byEmail)).toMatchObject({ level: 'registered', matchedBy: 'email' });
  expect(await creditOf(world, unknown)).toMatchObject({ level: 'unattributed', reason: 'no_match' });
});

test('ids and addresses of another workspace give the same answer as unknown ones', async () => {
  await using world = await createAttributionWorld();
  const victim = await neighbourOf(world);
  const { attendee, clickId, at } = await victim.click('ada@example.com');
  const attacks = [
    { clickId },
    { registrationId: attendee.registrationId },
    { email: 'ada@example.com' },
    { clickId: createId(), registrationId: createId(), email: 'unknown@example.com' },
  ];
  const ids = await world.recordAll(
    attacks.map((fields) => factOf('purchase', { email: null, occurredAt: at, ...fields })),
  );
  const events = await Promise.all(ids.map((id) => world.event(id)));
  await world.register('bob@example.com');
  const byEmail = await world.record('purchase', { clickId, email: 'bob@example.com', occurredAt: at });
  expect(await creditOf(world, byEmail)).toMatchObject({ level: 'registered', matchedBy: 'email' });
  for (const { email, credit, considered, explanation, timeline } of events)
    expect({
      credit,
      considered,
      explanation,
      timeline: timeline.map(({ kind }: { kind: string }) => kind),
    }).toEqual({
      credit: events.at(-1).credit,
      considered: events.at(-1).considered,
      explanation:
        email === null
          ? ['Not credited: no registration matches the purchase.']
          : [
              `Not credited: ${email} was registered for no webinar of this workspace at the time of the purchase.`,
              'Something that they did up to 30 days before the purchase would have led to a credit.',
            ],
      timeline: events.at(-1).timeline.map(({ kind }: { kind: string }) => kind),
    });
});

test('500 purchases take a fixed number of statements', async () => {
  await using world = await createAttributionWorld();
  const { clickId, at } = await world.click('ada@example.com');
  const registrationId = await world.register('bob@example.com');
  const ids = [
    { clickId, registrationId: null, email: null },
    { clickId: null, registrationId, email: null },
    { clickId: null, registrationId: null, email: 'ada@example.com' },
  ];
  const purchases = Array.from({ length: 500 }, (_, index) => ({
    id: createId(),
    occurredAt: secondsAfter(at, index),
    ...ids[index % 3]!,
  }));
  const { subscriber } = world.service.api.service;
  const { accountId } = world;
  let used = 0;
  const credits = await world.service.db.database.ofAccount(accountId).transaction((tx) => {
    const query: AccountWriter['query'] = (...call) => {
      used += 1;
      return tx.query(...call);
    };
    const counting = accountWriter({ ...tx, query }, { accountId, now: new Date() });
    return createAttribution({ subscriber }).creditPurchases(counting, purchases);
  });
  expect(credits.map(({ level }) => level).slice(0, 3)).toEqual(['offer_click', 'registered', 'offer_click']);
  expect(used).toBeLessThanOrEqual(7);
});

test('of a person with many registrations the newest 200 are compared, and the explanation says so', async () => {
  await using world = await createAttributionWorld();
  const first = await world.register('ada@example.com');
  await world.service.db.database.pool.query(
    `insert into attendees.registration (account_id, id, webinar_id, session_id, name, email, source, registered_at)
     select account_id, gen_random_uuid(), webinar_id, gen_random_uuid(), name, email, source,
       registered_at - make_interval(mins => n)
     from attendees.registration, generate_series(1, 250) as n where id = $1`,
    [first],
  );
  const { explanation, considered } = await world.event(await world.record('purchase'));
  expect(considered.touches).toHaveLength(20);
  expect(explanation.slice(-2)).toEqual([
    '179 more touches were compared.',
    'Only the newest 200 registrations of the buyer were compared.',
  ]);
});
