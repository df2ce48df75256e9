import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';
import { nowhere, sources, test } from './automation-world.ts';

test.for(sources)(
  'a delivery of $kind is sent again as a new one with is_refire, and the first is unchanged',
  async ({ kind, body }, { world, receiver }) => {
    await using _worker = await testWorker(world.service.db.url, { baseUrl: world.service.baseUrl });
    const source = (await world.call(`POST /${kind}`, body(receiver.url))).json.data;
    const at = `/${kind}/${source.id}/deliveries`;
    await world.register('ada@example.com');
    const { id } = await world.untilNewest(at, 'success');
    const original = await world.get(`${at}/${id}`);

    const answer = await world.call(`POST ${at}/${id}/redeliver`);
    expect(answer.status).toBe(202);
    const { data } = answer.json;
    expect(data).toEqual({ id: expect.not.stringMatching(id), status: 'queued', redeliveryOf: id });
    expect(answer.headers.get('location')).toBe(`/api/v1/webinars/${world.webinar.id}${at}/${data.id}`);

    await eventually('the second webhook', () => receiver.received.length === 2);
    const [first, second] = receiver.received.map((one) => one.body.toString());
    const { timestamp } = JSON.parse(first!);
    const { timestamp: laterTimestamp } = JSON.parse(second!);
    expect(Date.parse(laterTimestamp)).toBeGreaterThan(Date.parse(timestamp));
    expect(second).toBe(first!.replace(timestamp, laterTimestamp).replace(/}$/, ',"is_refire":true}'));
    expect(receiver.received[1]!.headers['webhook-id']).toBe(data.id);

    await world.untilNewest(at, 'success');
    const again = await world.get(`${at}/${data.id}`);
    expect(again).toMatchObject({ isRefire: true, redeliveryOf: id, body: second });
    expect(await world.get(`${at}/${id}`)).toEqual(original);
  },
);

test.for(sources)(
  'a waiting delivery of $kind that is sent again is replaced, and nothing is sent while switched off',
  async ({ kind, onOff, off, body }, { world }) => {
    const at = `/${kind}/${(await world.create(`/${kind}`, body(nowhere)))['id']}`;
    await world.register('ada@example.com');
    const [waiting] = await world.get(`${at}/deliveries`);
    const path = `POST ${at}/deliveries/${waiting.id}/redeliver`;
    const early = await world.call(path);
    expect(early.status).toBe(202);
    expect(await world.get(`${at}/deliveries/${waiting.id}`)).toMatchObject({
      status: 'cancelled',
      replacedBy: early.json.data.id,
      attempts: 0,
      triesLeft: 0,
      nextAttemptAt: null,
    });
    const twice = await world.call(path);
    expect([twice.status, twice.json.code]).toEqual([409, 'delivery_replaced']);

    await world.call(`PATCH ${at}`, { [onOff]: false });
    const newer = `POST ${at}/deliveries/${early.json.data.id}/redeliver`;
    const inactive = await world.call(newer);
    expect([inactive.status, inactive.json.code]).toEqual([409, off]);

    await world.call(`PATCH ${at}`, { [onOff]: true });
    expect((await world.call(newer)).status).toBe(202);
    const { data } = (await world.call(`GET ${at}/deliveries`)).json;
    expect(data.map((delivery: { status: string }) => delivery.status)).toEqual([
      'queued',
      'cancelled',
      'cancelled',
    ]);
  },
);

test('deliveries are filtered by status, event type, time, registration and response', async ({ world }) => {
  const webhook = await world.subscribe(nowhere);
  const at = `/webhooks/${webhook.id}/deliveries`;
  await world.register('ada@example.com');
  const bob = await world.register('bob@example.com');
  const [newer, older] = await world.get(at);
  const count = async (query: string): Promise<number> => (await world.get(`${at}?${query}`)).length;
  expect(await count('status=queued')).toBe(2);
  expect(await count('status=success')).toBe(0);
  expect(await count('status=queued&eventType=registered')).toBe(2);
  expect(await count('eventType=joined')).toBe(0);
  expect(await count(`registrationId=${bob}&status=queued`)).toBe(1);
  expect(await count(`registrationId=${webhook.id}`)).toBe(0);
  expect(await count('responseCode=5xx')).toBe(0);
  expect(await count(`from=${webhook.createdAt}`)).toBe(2);
  expect(await count(`to=${webhook.createdAt}`)).toBe(0);
  const page = await world.call(`GET ${at}?status=queued&limit=1`);
  const { nextCursor } = page.json.pagination;
  expect(page.json.data[0].id).toBe(newer.id);
  const next = await world.call(`GET ${at}?status=queued&limit=1&cursor=${nextCursor}`);
  expect(next.json.data[0].id).toBe(older.id);
  expect((await world.call(`GET ${at}?status=failure&limit=1&cursor=${nextCursor}`)).status).toBe(400);
  const wrong = [
    'status=done',
    'eventType=chat_response',
    'from=yesterday',
    'to=2026-12-01',
    'since=1',
    'responseCode=6xx',
    'responseCode=50',
    'registrationId=ada',
  ];
  for (const query of wrong) expect((await world.call(`GET ${at}?${query}`)).status, query).toBe(422);
});
