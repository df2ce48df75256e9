import { eventCatalogue } from '@service/automations';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';
import { nowhere, ruleTo, test } from './automation-world.ts';

const fromNowhere = [{ field: 'utm.source', operator: 'eq', value: 'nowhere' }];

test.for([
  ['webhooks', 'joined', (url: string) => ({ url, eventTypes: ['registered', 'joined'] })],
  [
    'automations',
    'chat_response',
    (url: string) => ({ ...ruleTo(url), trigger: { type: 'chat_response' }, conditions: fromNowhere }),
  ],
] as const)(
  'a test of %s sends a sample of %s with this webinar and is_test',
  async ([kind, eventType, bodyFor], { world, receiver }) => {
    await using _worker = await testWorker(world.service.db.url);
    const made = await world.call(`POST /${kind}`, bodyFor(receiver.url));
    const at = `/${kind}/${made.json.data.id}`;
    const before = Date.now();
    const answer = await world.call(`POST ${at}/test`, kind === 'webhooks' ? { eventType } : undefined);
    expect(answer.status).toBe(202);
    const { data } = answer.json;
    expect(data).toEqual({ id: expect.any(String), status: 'queued' });
    const path = `${at}/deliveries/${data.id}`;
    expect(answer.headers.get('location')).toBe(`/api/v1/webinars/${world.webinar.id}${path}`);

    await eventually('the test', () => receiver.received.length === 1);
    const sent = receiver.received[0]!.body.toString();
    const envelope = JSON.parse(sent);
    const { sample } = eventCatalogue.find(({ type }) => type === eventType)!;
    expect(sent).toBe(
      JSON.stringify({
        ...sample,
        webinar: { id: world.webinar.id, title: 'Launch' },
        timestamp: envelope.timestamp,
        is_test: true,
      }),
    );
    expect(Date.parse(envelope.timestamp)).toBeGreaterThanOrEqual(before);

    await world.untilNewest(`${at}/deliveries`, 'success');
    const delivery = await world.get(path);
    expect(delivery).toMatchObject({ isTest: true, isRefire: false, eventType, body: sent });
    const again = (await world.call(`POST ${path}/redeliver`)).json.data;
    await eventually('the second test', () => receiver.received.length === 2);
    const { timestamp } = JSON.parse(receiver.received[1]!.body.toString());
    expect(receiver.received[1]!.body.toString()).toBe(
      sent.replace(envelope.timestamp, timestamp).replace(/}$/, ',"is_refire":true}'),
    );
    expect(await world.get(`${at}/deliveries/${again.id}`)).toMatchObject({
      isTest: true,
      isRefire: true,
      redeliveryOf: data.id,
    });
  },
);

test('a test of a subscription must have one of its event types', async ({ world }) => {
  const subscribe = { url: nowhere, eventTypes: ['registered'] };
  const { id } = (await world.call('POST /webhooks', subscribe)).json.data;
  for (const body of [{ eventType: 'joined' }, { eventType: 'chat_response' }, {}]) {
    const answer = await world.call(`POST /webhooks/${id}/test`, body);
    expect([answer.status, answer.json.issues[0].path]).toEqual([422, 'eventType']);
  }
  expect(await world.get(`/webhooks/${id}/deliveries`)).toEqual([]);
});
