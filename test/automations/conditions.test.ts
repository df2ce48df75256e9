import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';
import { nowhere, ruleTo, test } from './automation-world.ts';

const fromMail = { field: 'utm.source', operator: 'eq', value: 'Mail' };
const scheduled = { field: 'sessionKind', operator: 'eq', value: 'scheduled' };
const overApi = { field: 'registrationSource', operator: 'in', value: ['api', 'page'] };

test('a rule sends if all conditions are met, and the execution shows the condition that failed', async ({
  world,
  receiver,
}) => {
  await using _worker = await testWorker(world.service.db.url);
  const body = { ...ruleTo(receiver.url), name: 'From mail', conditions: [overApi, scheduled, fromMail] };
  const rule = (await world.call('POST /automations', body)).json.data;
  const no = await world.register('no@example.com', { utm: { source: 'ads' } });
  const yes = await world.register('yes@example.com', { utm: { source: 'MAIL' } });
  await eventually('the webhook', () => receiver.received.length > 0);
  const at = `/automations/${rule.id}`;
  const { id: deliveryId } = await world.untilNewest(`${at}/deliveries`, 'success');
  expect(receiver.received.map((hook) => JSON.parse(hook.body.toString()).attendee.email)).toEqual([
    'yes@example.com',
  ]);

  const { data, pagination } = (await world.call(`GET ${at}/executions`)).json;
  expect(pagination).toEqual({ nextCursor: null, hasMore: false });
  const source = {
    field: 'registrationSource',
    operator: 'in',
    expected: ['api', 'page'],
    actual: 'api',
    passed: true,
  };
  const session = {
    field: 'sessionKind',
    operator: 'eq',
    expected: 'scheduled',
    actual: 'scheduled',
    passed: true,
  };
  const mail = { field: 'utm.source', operator: 'eq', expected: 'Mail' };
  const common = {
    id: expect.any(String),
    ruleId: rule.id,
    ruleName: 'From mail',
    sessionId: expect.any(String),
    eventId: expect.any(String),
    eventType: 'registered',
    createdAt: expect.stringMatching(/Z$/),
  };
  expect(data).toEqual([
    {
      ...common,
      registrationId: yes,
      outcome: 'matched',
      skipReason: null,
      conditions: [source, session, { ...mail, actual: 'MAIL', passed: true }],
      deliveryId,
    },
    {
      ...common,
      registrationId: no,
      outcome: 'skipped',
      skipReason: 'condition_not_met',
      conditions: [source, session, { ...mail, actual: 'ads', passed: false }],
      deliveryId: null,
    },
  ]);
});

test('executions are listed by rule or webinar, and filtered by outcome and registration', async ({
  world,
}) => {
  const make = async (conditions: unknown[]) =>
    (await world.call('POST /automations', { ...ruleTo(nowhere), conditions })).json.data.id as string;
  const never = await make([{ field: 'joined', operator: 'eq', value: true }]);
  const always = await make([]);
  const off = await make([]);
  await world.call(`PATCH /automations/${off}`, { enabled: false });
  await world.call('POST /webhooks', { url: nowhere, eventTypes: ['registered'] });
  const ada = await world.register('ada@example.com');
  const bob = await world.register('bob@example.com');

  const seen = async (path: string) =>
    (await world.get(`${path}`)).map(
      ({ ruleName, ruleId, registrationId, outcome }: Record<string, string>) => [
        ruleName === 'Subscription' ? ruleName : ruleId,
        registrationId,
        outcome,
      ],
    );
  const everything: string[][] = await seen('/executions');
  expect(everything).toHaveLength(6);
  for (const id of [ada, bob]) {
    expect(everything).toContainEqual([never, id, 'skipped']);
    expect(everything).toContainEqual([always, id, 'matched']);
    expect(everything).toContainEqual(['Subscription', id, 'matched']);
  }
  expect(await seen(`/automations/${never}/executions`)).toEqual([
    [never, bob, 'skipped'],
    [never, ada, 'skipped'],
  ]);
  expect(await seen(`/automations/${off}/executions`)).toEqual([]);
  expect(await seen(`/executions?outcome=skipped&registrationId=${ada}`)).toEqual([[never, ada, 'skipped']]);
  expect(await seen(`/automations/${always}/executions?outcome=skipped`)).toEqual([]);

  const first = await world.call(`GET /executions?outcome=skipped&limit=1`);
  const { nextCursor } = first.json.pagination;
  expect(await seen(`/executions?outcome=skipped&limit=1&cursor=${nextCursor}`)).toEqual([
    [never, ada, 'skipped'],
  ]);
  expect((await world.call(`GET /executions?limit=1&cursor=${nextCursor}`)).status).toBe(400);
});
