import { expect } from 'vitest';
import { testWorker } from '../support/worker.ts';
import { sources, test } from './automation-world.ts';

test.for(sources)(
  'a halt over $kind keeps what waits, and switching off says what it cancels and from when it can be recovered',
  async ({ kind, onOff, body }, { world, receiver }) => {
    const source = (await world.call(`POST /${kind}`, body(receiver.url))).json.data;
    const at = `/${kind}/${source.id}`;
    const patch = async (change: object) => (await world.call(`PATCH ${at}`, change)).json.data;
    expect(source.halted).toBe(false);
    expect(await patch({ halted: true })).toMatchObject({
      [onOff]: true,
      halted: true,
      cancelledDeliveries: null,
    });
    await using _worker = await testWorker(world.service.db.url);
    for (const email of ['ada@example.com', 'bob@example.com']) await world.register(email);
    await world.call(`POST ${at}/test`, kind === 'webhooks' ? { eventType: 'registered' } : undefined);
    await world.untilNewest(`${at}/deliveries`, 'success');
    expect((await world.get(at)).halted).toBe(true);
    const refused = await world.call(`POST ${at}/waiting/send`);
    expect([refused.status, refused.json.code]).toEqual([409, 'endpoint_halted']);
    const waiting = await world.get(`${at}/deliveries?status=queued&status=failing`);
    expect(waiting).toHaveLength(2);

    const { cancelledDeliveries, halted } = await patch({ [onOff]: false });
    expect(halted).toBe(false);
    expect(cancelledDeliveries).toEqual({
      count: 2,
      isCountCapped: false,
      oldestCreatedAt: expect.stringMatching(/Z$/),
    });
    expect(cancelledDeliveries.oldestCreatedAt >= waiting[1].createdAt).toBe(true);
    expect((await patch({ [onOff]: true })).cancelledDeliveries).toBeNull();
    const from = cancelledDeliveries.oldestCreatedAt;
    const asked = { from, statuses: ['cancelled'] };
    const preview = (await world.call(`POST ${at}/recoveries/preview`, asked)).json.data;
    expect(preview).toMatchObject({ total: 2, since: from });
    expect((await world.call(`POST ${at}/recoveries`, asked)).json.data).toMatchObject({ total: 2 });
    await world.untilNewest(`${at}/deliveries`, 'success');
  },
);

test('a recovery takes from and to or since and until, and refuses different values of both', async ({
  world,
}) => {
  const rule = await world.rule('http://127.0.0.1:9/');
  const preview = (body: object) => world.call(`POST /automations/${rule.id}/recoveries/preview`, body);
  const [begin, end] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];
  for (const body of [
    { since: begin, until: end },
    { from: begin, to: end },
    { since: begin, to: end },
    { from: begin, since: begin, to: end, until: end },
  ])
    expect((await preview(body)).json.data).toMatchObject({ since: begin, until: end });
  for (const [body, path] of [
    [{}, 'from'],
    [{ from: begin, since: end }, 'since'],
    [{ from: begin, to: end, until: begin }, 'until'],
    [{ from: end, to: begin }, 'from'],
  ] as const) {
    const { status, json } = await preview(body);
    expect([status, json.issues], path).toEqual([422, [{ path, message: expect.any(String) }]]);
  }
});

test('a preview says what still waits in its time, and when the next try is', async ({ world }) => {
  const rule = await world.rule('http://127.0.0.1:9/');
  const preview = async (body: object = {}) => {
    const path = `POST /automations/${rule.id}/recoveries/preview`;
    return (await world.call(path, { from: '2026-11-01T00:00:00Z', ...body })).json.data.waiting;
  };
  expect(await preview()).toEqual({ queued: 0, retrying: 0, nextAttemptAt: null });
  for (const email of ['ada@example.com', 'bob@example.com', 'cleo@example.com']) await world.register(email);
  const { pool } = world.service.db.database;
  const next = '2026-12-24T18:00:00.000Z';
  await pool.query(
    `update deliveries.due set due_at = $1, attempts = 2
     where delivery_id <> (select min(delivery_id::text)::uuid from deliveries.due)`,
    [next],
  );
  await pool.query(`update deliveries.due set due_at = 'infinity' where attempts = 0`);
  expect(await preview()).toEqual({ queued: 1, retrying: 2, nextAttemptAt: next });
  expect(await preview({ eventTypes: ['joined'] })).toMatchObject({ queued: 0, retrying: 0 });
  expect(await preview({ to: '2026-11-02T00:00:00Z' })).toMatchObject({ queued: 0, retrying: 0 });
  const probeAt = '2026-12-01T00:00:00.000Z';
  await pool.query(
    `insert into deliveries.endpoint_health
       (endpoint_id, account_id, state, failures, since, probe_at, probes, drain_rate)
     select id, account_id, 'paused', 20, now(), $1, 0, 0 from deliveries.endpoint`,
    [probeAt],
  );
  expect(await preview()).toMatchObject({ retrying: 2, nextAttemptAt: probeAt });
  await world.call(`PATCH /automations/${rule.id}`, { halted: true });
  expect(await preview()).toMatchObject({ retrying: 2, nextAttemptAt: null });
});
