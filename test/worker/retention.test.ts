import { runMaintenance } from '@service/worker';
import { expect, test } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { createWorld, type World } from '../support/world.ts';
import { testWorker } from '../support/worker.ts';

const dayMs = 86_400_000;
const inDays = (days: number): Date => new Date(Date.now() + days * dayMs);

/** Runs maintenance at a time until a round drops nothing. Returns the dropped partitions. */
async function maintainUntilDone(
  { service }: World,
  now: Date,
  eventRetentionDays?: number,
): Promise<string[]> {
  const dropped: string[] = [];
  for (;;) {
    const round = await runMaintenance(service.db.database.pool, {
      now,
      retentionDays: 90,
      eventRetentionDays,
    });
    expect(round.late).toEqual([]);
    if (round.dropped.length === 0) return dropped;
    dropped.push(...round.dropped);
  }
}

/** A session with a subscription, and an attendee who clicks, answers and writes a message. */
async function playSession(world: World, receiverUrl: string) {
  const subscription = await world.create('/webhooks', {
    url: receiverUrl,
    eventTypes: ['registered', 'cta_click'],
  });
  const offer = await world.interaction({ type: 'offer', url: 'https://example.com/', buttonLabel: 'Buy' });
  const poll = await world.interaction({
    type: 'poll',
    options: [
      { id: 'one', label: 'One' },
      { id: 'two', label: 'Two' },
    ],
  });
  const ada = await world.attend();
  world.startSession();
  await ada.visit();
  await ada.watch(60);
  for (const call of [ada.click(offer), ada.answer(poll, 'two'), ada.say('hello')])
    expect(await call).toMatchObject({ status: 201 });
  /** Everything that the host can read about the attendee. */
  const facts = async () => {
    const read = async (path: string) => (await world.call(`GET ${path}`)).json.data;
    const room = await ada.visit();
    return {
      registration: await read(`/registrations/${ada.registrationId}`),
      timeline: await read(`/registrations/${ada.registrationId}/events`),
      clicks: await read(`/interactions/${offer}/responses`),
      answers: await read(`/interactions/${poll}/responses`),
      stats: [await read(`/interactions/${offer}/stats`), await read(`/interactions/${poll}/stats`)],
      room: room.status,
    };
  };
  return { ada, facts, subscriptionId: subscription['id']! };
}

const count = async ({ service }: World, table: string): Promise<number> =>
  (await service.db.database.pool.query(`select count(*)::int as count from ${table}`)).rows[0].count;

const history = [
  'activity.api_call',
  'activity.api_call_count',
  'deliveries.delivery',
  'deliveries.attempt',
  'deliveries.body',
  'automations.execution',
];

test('91 days later calls, executions and deliveries are deleted, and the events of attendees are kept', async () => {
  await using receiver = await startReceiver();
  await using world = await createWorld();
  const { facts, subscriptionId } = await playSession(world, receiver.url);
  {
    await using _worker = await testWorker(world.service.db.url);
    await eventually('all deliveries to have ended', async () => {
      return (await count(world, 'deliveries.due')) === 0 && (await count(world, 'deliveries.attempt')) === 2;
    });
  }
  const before = await facts();
  expect(before.timeline.map(({ type }: { type: string }) => type).toSorted()).toEqual([
    'chat_response',
    'cta_click',
    'joined',
    'poll_response',
    'registered',
  ]);
  expect([before.clicks, before.answers].map((list) => list.length)).toEqual([1, 1]);
  await world.service.api.service.activity.flush();
  for (const table of history) expect(await count(world, table), table).toBeGreaterThan(0);
  const firings = await count(world, 'automations.firing');
  expect(firings).toBeGreaterThan(0);

  const dropped = await maintainUntilDone(world, inDays(92));
  expect(dropped.filter((name) => name.includes('attendee_event'))).toEqual([]);
  for (const table of history) expect(await count(world, table), table).toBe(0);
  expect((await world.call(`GET /webhooks/${subscriptionId}/deliveries`)).json.data).toEqual([]);
  expect(await facts()).toEqual(before);
  // A rule must not fire again for the same event.
  expect(await count(world, 'automations.firing')).toBe(firings);
});

test('a day of deliveries is kept while one of them waits', async () => {
  await using world = await createWorld();
  await playSession(world, 'http://127.0.0.1:9/');
  const { pool } = world.service.db.database;
  const waiting = await count(world, 'deliveries.due');
  expect(waiting).toBe(2);
  const bodies = 'select b.body from deliveries.due join deliveries.body b on b.id = due.delivery_id';
  await maintainUntilDone(world, inDays(92));
  expect((await pool.query(bodies)).rows).toHaveLength(2);
  await pool.query('delete from deliveries.due');
  await maintainUntilDone(world, inDays(92));
  expect(await count(world, 'deliveries.delivery')).toBe(0);
});

test('bodies with days of their own are dropped before their deliveries, which are listed and not sent again', async () => {
  await using receiver = await startReceiver();
  await using world = await createWorld();
  const { subscriptionId } = await playSession(world, receiver.url);
  const { pool } = world.service.db.database;
  await pool.query('delete from deliveries.due');
  const options = { now: inDays(9), retentionDays: 90, bodyRetentionDays: 7 };
  const { dropped } = await runMaintenance(pool, options);
  const ofDeliveries = dropped.filter((name) => name.startsWith('deliveries.'));
  expect(ofDeliveries.length).toBeGreaterThan(0);
  expect(ofDeliveries.filter((name) => !name.startsWith('deliveries.body_'))).toEqual([]);
  const { data } = (await world.call(`GET /webhooks/${subscriptionId}/deliveries`)).json;
  expect(data.length).toBeGreaterThan(0);
  const path = `/webhooks/${subscriptionId}/deliveries/${data[0].id}`;
  expect(await world.call(`GET ${path}`)).toMatchObject({ status: 200 });
  expect(await world.call(`POST ${path}/redeliver`)).toMatchObject({
    status: 409,
    json: { code: 'delivery_body_deleted' },
  });
});

test('with a retention of events a month is dropped when all of it is older, and its firings are deleted', async () => {
  await using receiver = await startReceiver();
  await using world = await createWorld();
  await playSession(world, receiver.url);
  const events = await count(world, 'attendees.attendee_event');
  await maintainUntilDone(world, inDays(365), 365);
  expect(await count(world, 'attendees.attendee_event')).toBe(events);
  await maintainUntilDone(world, inDays(365 + 32), 365);
  expect(await count(world, 'attendees.attendee_event')).toBe(0);
  expect(await count(world, 'automations.firing')).toBe(0);
});

test('one round with a time that is 200 days off drops two days of each table at most', async () => {
  await using world = await createWorld();
  const { pool } = world.service.db.database;
  const { dropped } = await runMaintenance(pool, {
    now: inDays(200),
    retentionDays: 90,
    eventRetentionDays: 90,
  });
  const perTable = Map.groupBy(dropped, (name) => name.slice(0, name.lastIndexOf('_')));
  expect(Object.fromEntries([...perTable].map(([table, names]) => [table, names.length]))).toEqual({
    'accounts.member_change': 2,
    'activity.api_call': 2,
    'automations.execution': 2,
    'contacts.send': 2,
    'contacts.send_values': 2,
    'deliveries.attempt': 2,
    'deliveries.body': 2,
    'deliveries.delivery': 2,
    'deliveries.delivery_count': 2,
    'mails.mail': 2,
    'attendees.attendee_event': 1,
  });
});

test('members see the retention', async () => {
  await using world = await createWorld();
  const dashboard = await openDashboard(world.service, world);
  expect(await dashboard.query('retention.get')).toEqual({
    historyDays: 90,
    bodyDays: 90,
    eventDays: null,
  });
});
