// Questions about webhooks that fail, played with the default retry schedule: for three days a failed delivery is retried, and
// nothing has the status failure.
import { environment } from '@service/config';
import { expect, test } from 'vitest';
import { testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { callTool } from '../support/mcp.ts';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { converse } from './converse.ts';

const retryScheduleSeconds = environment.shape.WEBHOOK_RETRY_SCHEDULE_SECONDS.parse(undefined);

/** A rule and a subscription whose receiver answers 500 until it is repaired. Two people have registered. */
async function createFailing() {
  const cleanup = new AsyncDisposableStack();
  const service = cleanup.use(await testApi({ options: { retryScheduleSeconds } }));
  const world = await createWorld({ beside: { service } });
  let isDown = true;
  const receiver = cleanup.use(
    await startReceiver((_request, response) => {
      response.statusCode = isDown ? 500 : 200;
      response.end(isDown ? 'The database of the CRM is full' : 'ok');
    }),
  );
  const rule = await world.rule(receiver.url, { name: 'CRM' });
  const subscription = await world.subscribe(receiver.url, { description: 'Data lake' });
  const registrations = [await world.register('ada@example.com'), await world.register('bob@example.com')];
  cleanup.use(await testWorker(service.db.url, { retryScheduleSeconds }));
  await eventually('four failed attempts', () => receiver.received.length >= 4);
  const { ask } = cleanup.use(await converse(world));
  return {
    world,
    rule,
    subscription,
    registrations,
    receiver,
    ask,
    repair: () => void (isDown = false),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

test('"Which webhook endpoints fail, and why?" and "Are all integrations healthy?" are answered for rules and subscriptions', async () => {
  await using failing = await createFailing();
  const { world, ask, rule, subscription, receiver } = failing;
  await world.rule('http://127.0.0.1:9/', { name: 'Unused', trigger: { type: 'left' } });
  await world.register('cleo@example.com');
  const endpoints = await eventually('three failures of each endpoint', async () => {
    const { data } = await callTool(world.service, world.key, 'list_webhook_endpoints');
    const failed = data.data.filter(
      ({ health }: { health: { status: string } }) => health.status === 'failing',
    );
    return failed.length === 2 && data.data;
  });
  expect(endpoints).toMatchObject([
    { kind: 'rule', name: 'Unused', health: { status: 'healthy', since: null }, waiting: 0 },
    { kind: 'subscription', id: subscription.id, name: 'Data lake' },
    { kind: 'rule', id: rule.id, name: 'CRM' },
  ]);
  for (const endpoint of endpoints.slice(1))
    expect(endpoint).toMatchObject({
      url: receiver.url,
      enabled: true,
      halted: false,
      webinarId: world.webinar.id,
      webinarTitle: 'Launch',
      health: {
        status: 'failing',
        since: expect.stringMatching(/Z$/),
        nextProbeAt: null,
        lastFailure: 'http_status',
        lastResponseCode: 500,
      },
      waiting: expect.any(Number),
    });
  const first = await ask('list_webhook_endpoints', { limit: 2 });
  const second = await ask('list_webhook_endpoints', { limit: 2, cursor: first.pagination.nextCursor });
  const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
  expect(ids).toEqual(endpoints.map(({ id }: { id: string }) => id));
});

test('"What failed today?" is answered while everything is still retried, and "Send again what failed since this morning" sends it', async () => {
  await using failing = await createFailing();
  const { world, ask, rule, subscription, receiver, repair, registrations } = failing;
  const from = anHourAgo();
  const { data: failed } = await eventually('all four to be retried', async () => {
    const { data } = await callTool(world.service, world.key, 'list_deliveries', { status: 'failing', from });
    return data.data.length === 4 && data;
  });
  for (const delivery of failed)
    expect(delivery).toMatchObject({
      status: expect.stringMatching(/retrying|delivering/),
      responseCode: 500,
      failure: 'http_status',
    });
  interface Listed {
    source: string;
    rule: { id: string } | null;
    subscription: { id: string } | null;
    registrationId: string;
  }
  const sources = failed.map(
    (listed: Listed) =>
      `${listed.source} ${(listed.rule ?? listed.subscription)!.id} ${listed.registrationId}`,
  );
  const expected = registrations.flatMap((id) => [
    `rule ${rule.id} ${id}`,
    `subscription ${subscription.id} ${id}`,
  ]);
  expect(sources.toSorted()).toEqual(expected.toSorted());
  const both = await ask('list_deliveries', { status: ['failure', 'retrying', 'delivering'], from });
  expect(both.data).toHaveLength(4);
  expect((await ask('list_deliveries', { status: ['failure', 'success'], from })).data).toEqual([]);

  const span = { webinarId: world.webinar.id, ruleId: rule.id, from };
  const { data: preview } = await ask('preview_automation_recovery', span);
  expect(preview).toMatchObject({ total: 0, waiting: { queued: 0, retrying: 2 } });
  repair();
  receiver.received.length = 0;
  const { webinarId, ruleId } = span;
  const sent = await ask('send_waiting_automation_deliveries', { webinarId, ruleId });
  expect(sent.data.count).toBeLessThanOrEqual(2);
  await world.untilNewest(`/automations/${rule.id}/deliveries`, 'success');
});

test('"Pause the failing webhook" keeps what waits, and switching it off says what it cancels and how to send that', async () => {
  await using failing = await createFailing();
  const { world, ask, rule, receiver, repair } = failing;
  const key = { webinarId: world.webinar.id, ruleId: rule.id };
  const paused = await ask('update_automation', { ...key, halted: true });
  expect(paused.data).toMatchObject({ enabled: true, halted: true, cancelledDeliveries: null });
  const at = `GET /automations/${rule.id}/deliveries?status=retrying`;
  await eventually('both to wait', async () => (await world.call(at)).json.data.length === 2);
  const { data } = await ask('update_automation', { ...key, enabled: false });
  expect(data).toMatchObject({
    enabled: false,
    cancelledDeliveries: {
      count: 2,
      isCountCapped: false,
      oldestCreatedAt: expect.stringMatching(/Z$/),
      toSendThem: expect.stringContaining('create_automation_recovery'),
    },
  });
  repair();
  receiver.received.length = 0;
  await ask('update_automation', { ...key, enabled: true });
  const recovered = await ask('create_automation_recovery', {
    ...key,
    from: data.cancelledDeliveries.oldestCreatedAt,
    statuses: ['cancelled'],
    idempotency_key: 'again',
  });
  expect(recovered.data).toMatchObject({ total: 2 });
  await world.untilNewest(`/automations/${rule.id}/deliveries`, 'success');
});
