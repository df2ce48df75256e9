import { expect, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';
import { enqueueMany } from './health-world.ts';

const failedTry = `
  insert into deliveries.attempt (delivery_id, number, account_id, url, started_at, duration_ms, response_code, failure)
  values ($1, 1, $2, '', now(), 1, 500, 'http_status')`;

/** Bring a new delivery into each state, without a worker. $1 is its id, $2 its account. */
const statements: Record<string, string[]> = {
  queued: [],
  'queued, to a paused endpoint': [
    `update deliveries.due set due_at = 'infinity' where delivery_id = $1 and account_id = $2`,
  ],
  retrying: [
    failedTry,
    `update deliveries.due set attempts = 1, tries = 1 where delivery_id = $1 and account_id = $2`,
  ],
  'retrying, to a paused endpoint': [
    failedTry,
    `update deliveries.due set attempts = 1, tries = 1, due_at = 'infinity' where delivery_id = $1 and account_id = $2`,
  ],
  'in flight': [
    `update deliveries.due set claim = $1, leased_until = now() + interval '1 minute' where delivery_id = $1 and account_id = $2`,
  ],
  'in flight at a worker that hangs': [
    failedTry,
    `update deliveries.due set claim = $1, leased_until = now(), attempts = 1, tries = 1
     where delivery_id = $1 and account_id = $2`,
  ],
  success: [
    `delete from deliveries.due where delivery_id = $1 and account_id = $2`,
    `insert into deliveries.attempt (delivery_id, number, account_id, url, started_at, duration_ms, response_code)
     values ($1, 1, $2, '', now(), 1, 200)`,
  ],
  failure: [
    `delete from deliveries.due where delivery_id = $1 and account_id = $2`,
    `update deliveries.delivery set ended_as = 'failure' where id = $1 and account_id = $2`,
  ],
  cancelled: [
    `delete from deliveries.due where delivery_id = $1 and account_id = $2`,
    `update deliveries.delivery set ended_as = 'cancelled' where id = $1 and account_id = $2`,
  ],
  replaced: [
    `delete from deliveries.due where delivery_id = $1 and account_id = $2`,
    `update deliveries.delivery set ended_as = 'cancelled', replaced_by = $1 where id = $1 and account_id = $2`,
  ],
};

// For each state: the answer to a key, and to a member. `replaced` means that the first delivery ends as cancelled.
test.each([
  ['queued', 'replaced', 'delivery_not_failed'],
  ['queued, to a paused endpoint', 'replaced', 'delivery_not_failed'],
  ['retrying', 'replaced', 'replaced'],
  ['retrying, to a paused endpoint', 'replaced', 'replaced'],
  ['in flight', 'delivery_in_flight', 'delivery_in_flight'],
  ['in flight at a worker that hangs', 'replaced', 'replaced'],
  ['success', 'sent', 'delivery_not_failed'],
  ['failure', 'sent', 'sent'],
  ['cancelled', 'sent', 'delivery_not_failed'],
  ['replaced', 'delivery_replaced', 'delivery_replaced'],
])('a delivery that is %s: %s for a key, %s for a member', async (state, ...answers) => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [3600, 3600] });
  const { endpointId } = await world.createEndpoint('https://example.com/');
  for (const [index, expected] of answers.entries()) {
    const deliveryId = await world.enqueue(endpointId, 'body');
    for (const sql of statements[state]!) {
      const values = sql.includes('$2') ? [deliveryId, world.accountId] : [deliveryId];
      await world.database.pool.query(sql, values);
    }
    const before = await world.deliveries.get(world.reader(), { deliveryId });
    const outcome = await send(world, { deliveryId, endpointId, isRefire: index === 1 });
    const after = await world.deliveries.get(world.reader(), { deliveryId });
    if (typeof outcome === 'string') {
      expect([outcome, after]).toEqual([expected, before]);
      continue;
    }
    const changes = { status: 'cancelled', replacedBy: outcome.id, triesLeft: 0, nextAttemptAt: null };
    expect(after).toEqual(expected === 'replaced' ? { ...before, ...changes } : before);
    expect(expected).toMatch(/^(?:replaced|sent)$/);
    const sent = await world.deliveries.get(world.reader(), { deliveryId: outcome.id });
    expect(sent).toMatchObject({
      status: 'queued',
      isRefire: true,
      redeliveryOf: deliveryId,
      body: 'body again',
    });
  }
});

/** The redelivery, or the code of the refusal. */
const send = (
  world: DeliveryWorld,
  input: Parameters<DeliveryWorld['deliveries']['redeliver']>[1],
): Promise<{ id: string } | string> =>
  world.write((tx) => world.deliveries.redeliver(tx, input)).catch((error: { code: string }) => error.code);

test('a delivery is sent again through its own endpoint only', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://example.com/');
  const other = await world.createEndpoint('https://example.com/');
  const deliveryId = await world.enqueue(endpointId);
  expect(await send(world, { deliveryId, endpointId: other.endpointId })).toBe('delivery_not_found');
});

test('of several calls at once for a waiting delivery one sends it again, and the others are refused', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [3600] });
  const { endpointId } = await world.createEndpoint('https://example.com/');
  const ids = await enqueueMany(world, endpointId, 10);
  const calls = ids.flatMap((deliveryId) => Array.from({ length: 4 }, () => ({ deliveryId, endpointId })));
  const outcomes = await Promise.all(calls.map((call) => send(world, call)));
  const refusals = outcomes.filter((outcome) => typeof outcome === 'string');
  expect(refusals).toEqual(Array.from({ length: 30 }, () => 'delivery_replaced'));
  const { data } = await world.deliveries.list(world.reader(), { endpointId, limit: 100 });
  expect(data).toHaveLength(20);
  const replacements = ids.map((id) => data.find((delivery) => delivery.id === id)!.replacedBy);
  expect(new Set(replacements)).toEqual(
    new Set(outcomes.flatMap((outcome) => (typeof outcome === 'string' ? [] : [outcome.id]))),
  );
});

test('a delivery that workers claim while it is sent again arrives once, and twice only if it had arrived before', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const bodies = Array.from({ length: 120 }, (_, index) => `event ${index}`);
  const drafts = bodies.map((body) => ({ endpointId, eventType: 'registered', body }));
  const ids = await world.write((tx) => world.deliveries.enqueue(tx, drafts));
  for (const worker of [world.createWorker(), world.createWorker()]) worker.start();
  const outcomes = await Promise.all(ids.map((deliveryId) => send(world, { deliveryId, endpointId })));

  for (const [index, outcome] of outcomes.entries()) {
    if (typeof outcome === 'string') expect(outcome).toBe('delivery_in_flight');
    else await world.untilStatus(outcome.id, 'success');
    const first = await world.deliveries.get(world.reader(), { deliveryId: ids[index]! });
    if (first.replacedBy === null) await world.untilStatus(ids[index]!, 'success');
    const arrived = receiver.received
      .map(({ body }) => body.toString())
      .filter((body) => body.replace(' again', '') === bodies[index]);
    const expected = [
      ...(first.replacedBy === null ? [bodies[index]] : []),
      ...(typeof outcome === 'string' ? [] : [`${bodies[index]} again`]),
    ];
    expect(new Set(arrived)).toEqual(new Set(expected));
    expect(arrived).toHaveLength(expected.length);
  }
});

test('a redelivery to a paused endpoint waits with the others and is sent when the endpoint answers', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0, 3600] });
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  await world.database.pool.query(
    `insert into deliveries.endpoint_health
       (endpoint_id, account_id, state, failures, since, probe_at, probes, drain_rate)
     values ($1, $2, 'paused', 20, now(), now() + interval '1 hour', 0, 0)`,
    [endpointId, world.accountId],
  );
  const [waiting] = await enqueueMany(world, endpointId, 1);
  const { id } = (await send(world, { deliveryId: waiting!, endpointId })) as { id: string };
  world.createWorker().start();
  await expect.poll(async () => (await world.deliveries.waiting(world.reader(), endpointId)).count).toBe(1);
  expect(receiver.received).toEqual([]);
  await world.write((tx) => world.deliveries.probe(tx, endpointId));
  await world.untilStatus(id, 'success');
  expect(receiver.received).toHaveLength(1);
  expect(await world.deliveries.get(world.reader(), { deliveryId: waiting! })).toMatchObject({
    status: 'cancelled',
    replacedBy: id,
  });
});
