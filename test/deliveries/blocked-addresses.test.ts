import { blockedHosts, malformedHosts } from '@service/outbound-http/testing';
import { expect, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { createDeliveryWorld } from './delivery-world.ts';

// test/rest/address-guard.test.ts shows that such URLs cannot be stored.
test('an attempt to a private address that is stored in the database fails', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0] });
  await using receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  const rows = [
    ...blockedHosts.map(([host, what]) => ({ host, what, failure: 'blocked_address' })),
    ...malformedHosts.map((host) => ({ host, what: 'malformed', failure: 'invalid_url' })),
  ];
  const ids: string[] = [];
  for (const { host } of rows) {
    const { endpointId } = await world.createEndpoint(`http://${host}:${port}/hook`);
    ids.push(await world.enqueue(endpointId));
  }
  world.createWorker({ allowedCidrs: [] }).start();
  for (const [index, { host, what, failure }] of rows.entries()) {
    const delivery = await world.untilStatus(ids[index]!, 'failure');
    expect(delivery, `${host} (${what})`).toMatchObject({ failure, responseCode: null });
  }
  expect(receiver.received).toEqual([]);
});
