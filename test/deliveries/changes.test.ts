// A change of an endpoint applies to everything that is sent after its answer.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';
import { createPaused, createWorld, healthOf, noticesOf, startFailingReceiver } from './health-world.ts';

const queued = 1000;

/** Starts a thousand deliveries to a receiver that takes 40 ms each, and resolves after the first 50. Two workers send them. */
async function startFlow(world: DeliveryWorld) {
  const receiver = await startReceiver((_request, response) => void setTimeout(() => response.end(), 40));
  const { endpointId, secret } = await world.createEndpoint(receiver.url);
  const drafts = Array.from({ length: queued }, (_, index) => ({
    endpointId,
    eventType: 'registered',
    body: `{"n":${index}}`,
  }));
  await world.write((tx) => world.deliveries.enqueue(tx, drafts));
  for (const concurrency of [16, 16]) world.createWorker({ concurrency }).start();
  await eventually('the first of them', () => receiver.received.length > 50);
  return { receiver, endpointId, secret };
}

const untilEmpty = ({ database }: DeliveryWorld) =>
  eventually('an empty queue', async () => {
    return (await database.pool.query('select from deliveries.due')).rowCount === 0;
  });

const signed = (secret: string, body: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

test('with a thousand queued, everything that is sent after the answer of a rotation has the new signature', async () => {
  await using world = await createDeliveryWorld();
  const { receiver, endpointId, secret } = await startFlow(world);
  await using _receiver = receiver;
  const rotated = await world.write((tx) => world.deliveries.rotateSecret(tx, endpointId));
  const before = receiver.received.length;
  await untilEmpty(world);
  const [early, late] = [receiver.received.slice(0, before), receiver.received.slice(before)];
  expect(late.length).toBeGreaterThan(100);
  expect(
    late.filter(({ headers, body }) => headers['x-service-signature'] !== signed(rotated.secret, body)),
  ).toEqual([]);
  expect(early[0]!.headers['x-service-signature']).toBe(signed(secret, early[0]!.body));
  expect(receiver.received).toHaveLength(queued);
});

test('everything that is sent after the answer of a URL change goes to the new URL', async () => {
  await using world = await createDeliveryWorld();
  await using target = await startReceiver();
  const { receiver, endpointId } = await startFlow(world);
  await using _receiver = receiver;
  await world.write((tx) => world.deliveries.moveEndpoint(tx, endpointId, target.url));
  const before = receiver.received.length;
  await untilEmpty(world);
  expect(receiver.received).toHaveLength(before);
  expect(target.received.length).toBeGreaterThan(100);
  expect(before + target.received.length).toBe(queued);
});

test('after a URL change a failing endpoint says that it was not tried since, until its next attempt', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver();
  await using target = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const { endpointId: idleId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  await world.untilStatus(await world.enqueue(endpointId), 'retrying');
  await eventually('the failure', async () => (await healthOf(world, endpointId)).failuresInARow === 1);
  for (const id of [endpointId, idleId]) {
    await world.write((tx) => world.deliveries.moveEndpoint(tx, id, target.url));
  }
  await eventually('the end of the drain', async () => {
    const { rows } = await world.database.pool.query<{ state: string }>(
      'select state from deliveries.endpoint_health',
    );
    return rows.map(({ state }) => state).join() === 'failing';
  });
  expect(await healthOf(world, endpointId)).toMatchObject({ status: 'healthy', untriedSinceChange: true });
  expect(await healthOf(world, idleId)).toMatchObject({ untriedSinceChange: false });
  await world.untilStatus(await world.enqueue(endpointId), 'success');
  await eventually(
    'the attempt to be recorded',
    async () => !(await healthOf(world, endpointId)).untriedSinceChange,
  );
});

test('an endpoint stays paused when a change repeats its URL', async () => {
  await using world = await createWorld();
  const { receiver, endpointId, nextProbeAt } = await createPaused(world);
  await using _receiver = receiver;
  await world.write((tx) => world.deliveries.moveEndpoint(tx, endpointId, receiver.url));
  expect(await healthOf(world, endpointId)).toMatchObject({ status: 'paused', nextProbeAt });
  expect(await noticesOf(world, endpointId)).toEqual(['paused']);
});

test.each(['switched off', 'deleted'])(
  'nothing is sent after the answer when an endpoint is %s, and its waiting deliveries are cancelled',
  async (how) => {
    await using world = await createDeliveryWorld();
    const { receiver, endpointId } = await startFlow(world);
    await using _receiver = receiver;
    await world.write<unknown>((tx) =>
      how === 'deleted'
        ? world.deliveries.deleteEndpoint(tx, endpointId)
        : world.deliveries.setEnabled(tx, endpointId, false),
    );
    const sent = receiver.received.length;
    await untilEmpty(world);
    expect(receiver.received).toHaveLength(sent);
    expect(sent).toBeLessThan(queued);
    const { rows } = await world.database.pool.query<{ ended_as: string | null; count: number }>(
      `select ended_as, count(*)::int as count from deliveries.delivery group by 1 order by 2`,
    );
    const countOf = (endedAs: string | null) => rows.find((row) => row.ended_as === endedAs)?.count ?? 0;
    expect(countOf(null)).toBe(sent);
    expect(countOf('cancelled')).toBe(queued - sent);
  },
);

test('a new URL and a new secret are used from the next attempt on', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0, 600] });
  await using broken = await startReceiver((_request, response) => response.writeHead(500).end());
  await using receiver = await startReceiver();
  const { endpointId, secret } = await world.createEndpoint(broken.url);
  const deliveryId = await world.enqueue(endpointId);
  world.createWorker().start();
  await world.untilStatus(deliveryId, 'retrying');
  const rotated = await world.write(async (tx) => {
    await world.deliveries.moveEndpoint(tx, endpointId, receiver.url);
    return world.deliveries.rotateSecret(tx, endpointId);
  });
  expect(rotated.secret).not.toBe(secret);
  expect(await world.deliveries.revealSecret(world.reader(), endpointId)).toBe(rotated.secret);
  const endpoints = await world.deliveries.endpoints(world.reader(), [endpointId]);
  expect(endpoints.get(endpointId)).toMatchObject({
    url: receiver.url,
    secretLast4: rotated.secret.slice(-4),
  });
  await world.database.pool.query('update deliveries.due set due_at = now()');
  await world.untilStatus(deliveryId, 'success');
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]!.headers['x-service-signature']).not.toBe(
    broken.received[0]!.headers['x-service-signature'],
  );
});
