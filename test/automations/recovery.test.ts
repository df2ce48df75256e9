import { databaseTime } from '@service/database';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';
import { nowhere, sources, test, type AutomationWorld } from './automation-world.ts';

const longAgo = '2026-01-01T00:00:00Z';

/** Ends the waiting deliveries as if their attempts were used up. */
async function failAll({ service }: AutomationWorld): Promise<void> {
  const { pool } = service.db.database;
  await pool.query(`
    with gone as (delete from deliveries.due returning delivery_id)
    update deliveries.delivery set ended_as = 'failure' from gone where id = delivery_id`);
}

test.for(sources)(
  'a recovery sends every failed delivery of $kind again',
  async ({ kind, body }, { world, receiver }) => {
    const source = (await world.call(`POST /${kind}`, body(receiver.url))).json.data;
    const at = `/${kind}/${source.id}/recoveries`;
    const tooEarly = await world.register('early@example.com');
    await delay(5);
    const since = databaseTime().toISOString();
    const registered = [await world.register('ada@example.com'), await world.register('bob@example.com')];
    await failAll(world);

    const preview = await world.call(`POST ${at}/preview`, { since });
    expect(preview.status).toBe(200);
    expect(preview.json.data).toEqual({
      since,
      until: expect.stringMatching(/Z$/),
      total: 2,
      isTotalCapped: false,
      waiting: { queued: 0, retrying: 0, nextAttemptAt: null },
    });
    expect((await world.call(`POST ${at}/preview`, { since: longAgo })).json.data.total).toBe(3);
    expect((await world.call(`POST ${at}/preview`, { since: longAgo, until: since })).json.data.total).toBe(
      1,
    );

    const made = await world.call(`POST ${at}`, { since });
    expect(made.status).toBe(202);
    const { data } = made.json;
    expect(data).toMatchObject({
      state: 'running',
      since,
      statuses: ['failure'],
      eventTypes: null,
      total: 2,
    });
    expect(made.headers.get('location')).toBe(`/api/v1/webinars/${world.webinar.id}${at}/${data.id}`);
    const second = await world.call(`POST ${at}`, { since });
    expect([second.status, second.json.code]).toEqual([409, 'recovery_running']);

    await using _worker = await testWorker(world.service.db.url);
    const done = await eventually('the recovery to be done', async () => {
      const recovery = await world.get(`${at}/${data.id}`);
      return recovery.state === 'done' && recovery;
    });
    expect(done).toMatchObject({ queued: 2, total: 2, cancelReason: null });
    await eventually('both webhooks', () => receiver.received.length === 2);
    const bodies = receiver.received.map((one) => JSON.parse(one.body.toString()));
    const arrived = new Set(bodies.map((one) => one.attendee.registration_id));
    expect(arrived).toEqual(new Set(registered));
    expect(arrived).not.toContain(tooEarly);
    expect(Object.keys(bodies[0]).at(-1)).toBe('is_refire');
    expect(await world.get(at)).toEqual([done]);

    const late = await world.call(`POST ${at}/${data.id}/cancel`);
    expect([late.status, late.json.code]).toEqual([409, 'recovery_finished']);
  },
);

test.for(sources)(
  'a recovery of $kind can be stopped, and cannot start while it is switched off',
  async ({ kind, onOff, off, body }, { world }) => {
    const source = (await world.call(`POST /${kind}`, body(nowhere))).json.data;
    const at = `/${kind}/${source.id}`;
    await world.register('ada@example.com');
    await failAll(world);
    const { id } = (await world.call(`POST ${at}/recoveries`, { since: longAgo })).json.data;
    const cancelled = await world.call(`POST ${at}/recoveries/${id}/cancel`);
    expect(cancelled.status).toBe(200);
    expect(cancelled.json.data).toMatchObject({
      id,
      state: 'cancelled',
      cancelReason: 'requested',
      queued: 0,
    });

    const nothing = await world.call(`POST ${at}/recoveries`, { since: longAgo, statuses: ['success'] });
    expect(nothing.json.data).toMatchObject({ state: 'done', total: 0, statuses: ['success'] });
    const page = (await world.call(`GET ${at}/recoveries?limit=1`)).json;
    expect(page.data).toEqual([nothing.json.data]);
    const { nextCursor } = page.pagination;
    const rest = (await world.call(`GET ${at}/recoveries?limit=1&cursor=${nextCursor}`)).json;
    expect([rest.data[0].id, rest.pagination.hasMore]).toEqual([id, false]);

    await world.call(`PATCH ${at}`, { [onOff]: false });
    const sample = kind === 'webhooks' ? { eventType: 'registered' } : undefined;
    for (const [path, given] of Object.entries({ recoveries: { since: longAgo }, test: sample })) {
      const refused = await world.call(`POST ${at}/${path}`, given);
      expect([refused.status, refused.json.code], path).toEqual([409, off]);
    }
    const preview = await world.call(`POST ${at}/recoveries/preview`, { since: longAgo });
    expect(preview.json.data.total).toBe(1);
  },
);

test('an invalid recovery is refused with its fields', async ({ world }) => {
  const webhook = await world.subscribe(nowhere);
  const rule = await world.rule(nowhere);
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  for (const [body, path] of [
    [{}, 'from'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: '2026-12-01' }, 'since'],
    [{ since: inAnHour }, 'since'],
    [{ since: longAgo, until: longAgo }, 'since'],
    [{ since: longAgo, statuses: [] }, 'statuses'],
    [{ since: longAgo, statuses: ['queued'] }, 'statuses.0'],
    [{ since: longAgo, eventTypes: [] }, 'eventTypes'],
    [{ since: longAgo, eventTypes: ['chat_response'] }, 'eventTypes.0'],
    [{ since: longAgo, dryRun: true }, 'dryRun'],
  ] as const) {
    for (const end of ['', '/preview']) {
      const answer = await world.call(`POST /webhooks/${webhook.id}/recoveries${end}`, body);
      const where = `${JSON.stringify(body)}${end}`;
      expect([answer.status, answer.json.issues?.[0].path], where).toEqual([422, path]);
    }
  }
  const byRule = { since: longAgo, until: inAnHour, eventTypes: ['chat_response'] };
  const { data } = (await world.call(`POST /automations/${rule.id}/recoveries/preview`, byRule)).json;
  expect(Date.parse(data.until)).toBeLessThan(Date.parse(inAnHour));
});
