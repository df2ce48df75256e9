import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';

test('the id of a rule, a subscription or a delivery leads to its page, and that of a stranger leads nowhere', async () => {
  await using service = await testApi();
  const [mine, theirs] = [await createTestWorld(service), await createTestWorld(service)];
  const { key, webinar } = mine;
  const at = `/webinars/${webinar.id}`;
  const url = 'http://127.0.0.1:9/hook';
  const create = async (path: string, body: object): Promise<string> =>
    (await callRest(service, `POST ${at}${path}`, { key, body })).json.data.id;
  const trigger = { type: 'registered' };
  const ruleId = await create('/automations', { name: 'CRM', trigger, action: { type: 'webhook', url } });
  const webhookId = await create('/webhooks', { url, eventTypes: ['registered'] });
  await create('/registrations', { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime });
  const firstDelivery = async (source: string): Promise<string> =>
    (await callRest(service, `GET ${at}${source}/deliveries`, { key })).json.data[0].id;
  const [ofRule, ofWebhook] = [
    await firstDelivery(`/automations/${ruleId}`),
    await firstDelivery(`/webhooks/${webhookId}`),
  ];
  const rule = { kind: 'rule', id: ruleId, webinarId: webinar.id };
  const webhook = { kind: 'webhook', id: webhookId, webinarId: webinar.id };
  const [me, stranger] = [await openDashboard(service, mine), await openDashboard(service, theirs)];
  for (const [id, found] of [
    [ruleId, { ...rule, deliveryId: null }],
    [webhookId, { ...webhook, deliveryId: null }],
    [ofRule, { ...rule, deliveryId: ofRule }],
    [ofWebhook, { ...webhook, deliveryId: ofWebhook }],
  ] as const) {
    expect(await me.query('automations.find', { id })).toEqual(found);
    expect(await stranger.query('automations.find', { id })).toBeNull();
  }
  expect(await me.query('automations.find', { id: webinar.id })).toBeNull();
});
