import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { createDeliveryWorld } from './delivery-world.ts';

test('a receiver that fails twice and then accepts: one success, three attempts on record', async () => {
  await using world = await createDeliveryWorld();
  const codes = [500, 404, 200];
  await using receiver = await startReceiver((_request, response) => {
    const code = codes[receiver.received.length - 1]!;
    response.writeHead(code).end(`answer ${code}`);
  });
  const { endpointId } = await world.createEndpoint(receiver.url);
  const deliveryId = await world.enqueue(endpointId, '{"frozen":true}');
  world.createWorker().start();

  const delivery = await world.untilStatus(deliveryId, 'success');
  expect(delivery).toMatchObject({
    attempts: 3,
    responseCode: 200,
    responseSnippet: 'answer 200',
    failure: null,
  });
  expect(delivery.attemptLog).toMatchObject([
    {
      number: 1,
      responseCode: 500,
      responseSnippet: 'answer 500',
      failure: 'http_status',
      url: receiver.url,
    },
    { number: 2, responseCode: 404, responseSnippet: 'answer 404', failure: 'http_status' },
    { number: 3, responseCode: 200, responseSnippet: 'answer 200', failure: null },
  ]);
  expect(new Set(receiver.received.map(({ body }) => body.toString()))).toEqual(new Set(['{"frozen":true}']));
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([deliveryId]),
  );
});

test('a delivery is given up after the last attempt', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver((_request, response) => response.writeHead(503).end());
  const { endpointId } = await world.createEndpoint(receiver.url);
  const deliveryId = await world.enqueue(endpointId);
  world.createWorker().start();
  const delivery = await world.untilStatus(deliveryId, 'failure');
  expect(delivery).toMatchObject({ attempts: 3, responseCode: 503, nextAttemptAt: null, deliveredAt: null });
  expect((await world.database.pool.query('select from deliveries.due')).rowCount).toBe(0);
  expect(receiver.received).toHaveLength(3);
});

test('retries wait as long as the schedule says, with its jitter, and the next one is shown', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0, 0.5, 100] });
  await using receiver = await startReceiver((_request, response) => response.writeHead(500).end());
  const { endpointId } = await world.createEndpoint(receiver.url);
  const deliveryId = await world.enqueue(endpointId);
  world.createWorker().start();
  await eventually('two attempts', () => receiver.received.length === 2);
  const [first, second] = receiver.received;
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(400);

  const delivery = await eventually('the second result', async () => {
    const current = await world.deliveries.get(world.reader(), { deliveryId });
    return current.attempts === 2 && current;
  });
  const waitSeconds = (Date.parse(delivery.nextAttemptAt!) - second!.at) / 1000;
  expect(delivery.status).toBe('retrying');
  expect(waitSeconds).toBeGreaterThan(79);
  expect(waitSeconds).toBeLessThan(122);
});
