import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { nowhere, sources, test } from './automation-world.ts';

test.for(sources)(
  'what waits for an endpoint of $kind is sent at once after it was repaired',
  async ({ kind, onOff, off, body }, { world }) => {
    await using _worker = await testWorker(world.service.db.url, { retryScheduleSeconds: [0, 86_400] });
    let isRepaired = false;
    await using receiver = await startReceiver((_request, response) =>
      response.writeHead(isRepaired ? 200 : 500).end(),
    );
    const source = (await world.call(`POST /${kind}`, body(receiver.url))).json.data;
    const at = `/${kind}/${source.id}`;
    const registrationId = await world.register('ada@example.com');
    const { id } = await world.untilNewest(`${at}/deliveries`, 'retrying');
    const idle = await world.get(`${at}/waiting`);
    expect(idle).toMatchObject({ count: 1, flush: null });
    expect(Date.parse(idle.nextAttemptAt)).toBeGreaterThan(Date.now());

    isRepaired = true;
    const answer = await world.call(`POST ${at}/waiting/send`);
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(`/api/v1/webinars/${world.webinar.id}${at}/waiting`);
    expect(answer.json.data.flush).toMatchObject({ state: 'running', total: 1 });
    await world.untilNewest(`${at}/deliveries`, 'success');
    expect(await world.get(`${at}/deliveries/${id}`)).toMatchObject({
      status: 'success',
      attempts: 2,
      isRefire: false,
      registrationId,
      durationMs: expect.any(Number),
    });
    await eventually(
      'the run to be done',
      async () => (await world.get(`${at}/waiting`)).flush.state === 'done',
    );

    const late = await world.call(`POST ${at}/waiting/stop`);
    expect([late.status, late.json.data.flush.state]).toEqual([200, 'done']);
    await world.call(`PATCH ${at}`, { [onOff]: false });
    const refused = await world.call(`POST ${at}/waiting/send`);
    expect([refused.status, refused.json.code]).toEqual([409, off]);
  },
);

test('a subscription has a description, which can be changed and removed', async ({ world }) => {
  expect(await world.subscribe(nowhere)).toMatchObject({ description: null });
  const named = await world.subscribe(nowhere, { description: ' CRM sync ' });
  expect(named).toMatchObject({ description: 'CRM sync' });
  const change = async (description: unknown) => world.call(`PATCH /webhooks/${named.id}`, { description });
  expect((await change('Warehouse')).json.data).toMatchObject({ description: 'Warehouse', active: true });
  await world.call(`PATCH /webhooks/${named.id}`, { active: false });
  expect((await world.get(`/webhooks/${named.id}`)).description).toBe('Warehouse');
  expect((await change(null)).json.data.description).toBeNull();
  for (const refused of ['', ' ', 'x'.repeat(201), 7]) expect((await change(refused)).status).toBe(422);
});
