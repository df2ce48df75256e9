import { expect } from 'vitest';
import { createTestWorld } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { nowhere, type AutomationWorld, test } from './automation-world.ts';

/** Ends the waiting deliveries. */
async function endAll({ service }: AutomationWorld, endedAs: 'failure' | 'cancelled'): Promise<void> {
  const { pool } = service.db.database;
  await pool.query(
    `with gone as (delete from deliveries.due returning delivery_id)
     update deliveries.delivery set ended_as = $1 from gone where id = delivery_id`,
    [endedAs],
  );
}

test('a member refires a failed delivery, and it is listed with the registration', async ({
  world,
  dashboard,
}) => {
  const webinarId = world.webinar.id;
  const rule = await world.rule(nowhere, { name: 'To the CRM' });
  const webhook = await world.subscribe(nowhere);
  const registrationId = await world.register('ada@example.com');
  const sentFor = async () => {
    const asked = { webinarId, registrationIds: [registrationId] };
    return (await dashboard.query('automations.registrationDeliveries', asked))[0].deliveries;
  };
  const first = await sentFor();
  for (const { id, sourceName } of first) {
    const isRule = sourceName === 'To the CRM';
    const delivery = await dashboard.query('automations.delivery', { webinarId, deliveryId: id });
    const source = isRule ? { kind: 'rule', id: rule.id } : { kind: 'webhook', id: webhook.id };
    expect(delivery.source).toMatchObject({ ...source, enabled: true });
    await expect(dashboard.mutate('automations.refire', { webinarId, deliveryId: id })).rejects.toThrow(
      'delivery_not_failed',
    );
  }
  await endAll(world, 'failure');
  for (const { id, sourceName } of first) {
    const again = await dashboard.mutate('automations.refire', { webinarId, deliveryId: id });
    expect(again).toEqual({ id: expect.not.stringMatching(id), status: 'queued', redeliveryOf: id });
    const refired = await dashboard.query('automations.delivery', { webinarId, deliveryId: again.id });
    expect(refired).toMatchObject({ sourceName, isRefire: true, redeliveryOf: id });
    expect(JSON.parse(refired.body).is_refire).toBe(true);
  }
  const both = await sentFor();
  expect(both.map(({ redeliveryOf }: { redeliveryOf: string | null }) => redeliveryOf)).toEqual([
    null,
    null,
    ...first.map(({ id }: { id: string }) => id),
  ]);
  expect(both.map(({ status }: { status: string }) => status)).toEqual([
    'failure',
    'failure',
    'queued',
    'queued',
  ]);

  // A failed refire can be fired again. It names the same first delivery.
  await endAll(world, 'failure');
  const third = await dashboard.mutate('automations.refire', { webinarId, deliveryId: both[2].id });
  expect(third.redeliveryOf).toBe(first[0].id);
  expect(await sentFor()).toHaveLength(5);
});

test('only a failed delivery of an enabled rule can be refired, and only by its workspace', async ({
  world,
  dashboard,
}) => {
  const webinarId = world.webinar.id;
  const rule = await world.rule(nowhere);
  const at = `/automations/${rule.id}`;
  const newest = async (): Promise<string> => (await world.get(`${at}/deliveries`))[0].id;
  await world.register('ada@example.com');
  const cancelled = await newest();
  await endAll(world, 'cancelled');
  await world.register('bob@example.com');
  const failed = await newest();
  await endAll(world, 'failure');
  const refire = (deliveryId: string, of = webinarId) =>
    dashboard.mutate('automations.refire', { webinarId: of, deliveryId });

  await expect(refire(cancelled)).rejects.toThrow('delivery_not_failed');
  // Keys can redeliver it.
  expect((await world.call(`POST ${at}/deliveries/${cancelled}/redeliver`)).status).toBe(202);
  const elsewhere = (await world.rest('POST /webinars', { title: 'B' })).json.data;
  await expect(refire(failed, elsewhere.id)).rejects.toThrow('delivery_not_found');
  const stranger = await createTestWorld(world.service);
  const outside = await openDashboard(world.service, stranger);
  for (const of of [webinarId, stranger.webinar.id]) {
    await expect(outside.mutate('automations.refire', { webinarId: of, deliveryId: failed })).rejects.toThrow(
      /not_found/,
    );
  }

  await world.call(`PATCH ${at}`, { enabled: false });
  await expect(refire(failed)).rejects.toThrow('rule_disabled');
  const off = await dashboard.query('automations.delivery', { webinarId, deliveryId: failed });
  expect(off.source).toMatchObject({ kind: 'rule', id: rule.id, enabled: false });
  await world.call(`DELETE ${at}`);
  await expect(refire(failed)).rejects.toThrow('rule_not_found');
  const gone = await dashboard.query('automations.delivery', { webinarId, deliveryId: failed });
  expect(gone).toMatchObject({ source: null, sourceName: 'Mine', url: null });
});
