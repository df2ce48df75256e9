import { expect } from 'vitest';
import { nowhere, sources, test } from './automation-world.ts';

test('a healthy endpoint is shown as healthy, and a probe does not change it', async ({ world }) => {
  const healthy = {
    status: 'healthy',
    failuresInARow: 0,
    since: null,
    nextProbeAt: null,
    lastFailure: null,
    lastResponseCode: null,
    untriedSinceChange: false,
  };
  for (const { kind, body } of sources) {
    const created = (await world.call(`POST /${kind}`, body(nowhere))).json.data;
    expect(created.health).toEqual(healthy);
    expect((await world.get(`/${kind}`))[0].health).toEqual(healthy);
    const probe = await world.call(`POST /${kind}/${created.id}/probe`);
    expect([probe.status, probe.json.data]).toEqual([202, healthy]);
  }
});

test('a paused endpoint is shown as paused, and a probe sends at once', async ({ world }) => {
  for (const { kind, body } of sources) {
    const { id } = (await world.call(`POST /${kind}`, body(nowhere))).json.data;
    await world.service.db.database.pool.query(
      `insert into deliveries.endpoint_health
         (endpoint_id, account_id, state, failures, since, probe_at, probes, drain_rate, last_failure, last_response_code)
       select endpoint_id, account_id, 'paused', 20, now(), now() + interval '1 hour', 5, 16, 'http_status', 503
       from automations.rule where id = $1 or subscription_id = $1 limit 1`,
      [id],
    );
    const { health } = await world.get(`/${kind}/${id}`);
    expect(health).toMatchObject({ status: 'paused', failuresInARow: 20, lastResponseCode: 503 });
    expect(Date.parse(health.nextProbeAt)).toBeGreaterThan(Date.now());
    const probe = await world.call(`POST /${kind}/${id}/probe`);
    expect(probe.status).toBe(202);
    expect(Date.parse(probe.json.data.nextProbeAt)).toBeLessThan(Date.parse(health.nextProbeAt));
  }
});
