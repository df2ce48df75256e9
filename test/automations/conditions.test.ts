import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';
import { ruleTo, test } from './automation-world.ts';

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
  const shown = ({ value, ...rest }: typeof overApi | typeof scheduled, actual: string) => ({
    ...rest,
    expected: value,
    actual,
    passed: true,
  });
  const [source, session] = [shown(overApi, 'api'), shown(scheduled, 'scheduled')];
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
      actions: [{ type: 'webhook', actionId: expect.any(String), deliveryId, status: 'success' }],
    },
    {
      ...common,
      registrationId: no,
      outcome: 'skipped',
      skipReason: 'condition_not_met',
      conditions: [source, session, { ...mail, actual: 'ads', passed: false }],
      deliveryId: null,
      actions: [],
    },
  ]);
});
