import { expect } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';
import { nowhere, test } from './automation-world.ts';

test('the id of a rule, a subscription or a delivery leads to its page, and that of a stranger leads nowhere', async ({
  world,
  dashboard,
}) => {
  const webinarId = world.webinar.id;
  const stranger = await openDashboard(world.service, await world.neighbour());
  const [{ id: ruleId }, { id: webhookId }] = [await world.rule(nowhere), await world.subscribe(nowhere)];
  await world.register();
  const [ofRule] = await world.get(`/automations/${ruleId}/deliveries`);
  const [ofWebhook] = await world.get(`/webhooks/${webhookId}/deliveries`);
  const rule = { kind: 'rule', id: ruleId, webinarId, hasEndpoint: true };
  const webhook = { kind: 'webhook', id: webhookId, webinarId, hasEndpoint: true };
  for (const [id, found] of [
    [ruleId, { ...rule, deliveryId: null }],
    [webhookId, { ...webhook, deliveryId: null }],
    [ofRule.id, { ...rule, deliveryId: ofRule.id }],
    [ofWebhook.id, { ...webhook, deliveryId: ofWebhook.id }],
  ] as const) {
    expect(await dashboard.query('automations.find', { id })).toEqual(found);
    expect(await stranger.query('automations.find', { id })).toBeNull();
  }
  expect(await dashboard.query('automations.find', { id: webinarId })).toBeNull();
});
