import { blockedHosts } from '@service/outbound-http/testing';
import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { createDeliveryWorld } from './delivery-world.ts';

test('no spelling of a private address can be subscribed, and the answer never says what it resolved to', async () => {
  await using service = await testApi({ strict: true });
  const { key, webinar } = await createTestWorld(service);
  const at = `/webinars/${webinar.id}/webhooks`;
  for (const [host, what] of blockedHosts) {
    const body = { url: `https://${host}/hook`, eventTypes: ['registered'] };
    const answer = await callRest(service, `POST ${at}`, { key, body });
    expect([answer.status, answer.json.issues[0].path], `${host} (${what})`).toEqual([422, 'url']);
    expect(answer.json.issues[0].message).toBe('The URL points to a private or reserved address.');
  }
  expect((await callRest(service, `GET ${at}`, { key })).json.data).toEqual([]);
  expect(blockedHosts.length).toBeGreaterThanOrEqual(60);
});

test('a private address that got into the database all the same is refused when it is sent to', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0] });
  const ids = [];
  for (const [host] of blockedHosts) {
    const { endpointId } = await world.createEndpoint(`https://${host}/hook`);
    ids.push(await world.enqueue(endpointId));
  }
  world.createTasks({ allowedCidrs: [] }).start();
  for (const [index, [host, what]] of blockedHosts.entries()) {
    const delivery = await world.untilStatus(ids[index]!, 'failure');
    expect(delivery, `${host} (${what})`).toMatchObject({ failure: 'blocked_address', responseCode: null });
  }
});
