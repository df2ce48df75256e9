import { expect, test } from 'vitest';
import { callRest, createTestWorld } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createMailsWorld } from './mails-world.ts';

test('one click stops marketing mails and leaves the others, and a scanner that only reads stops nothing', async () => {
  await using mails = await createMailsWorld();
  const { world, sql } = mails;
  const { baseUrl, api } = world.service;
  const { accountId } = world;
  const url = api.service.unsubscribeLinks.urlOf({ accountId, address: 'ada@example.com' });
  const at = `${baseUrl}${new URL(url).pathname}`;
  const suppressed = () => sql('select address, reason from mails.suppression');
  expect(await (await fetch(at)).text()).toContain('<form method="post">');
  expect(await suppressed()).toEqual([]);
  for (const body of ['List-Unsubscribe=One-Click', ''])
    expect((await fetch(at, { method: 'POST', body: new URLSearchParams(body) })).status).toBe(200);
  expect(await suppressed()).toEqual([{ address: 'ada@example.com', reason: 'unsubscribed' }]);
  await world.register('ada@example.com');
  expect(await mails.untilMails(1)).toHaveLength(1);
});

test('a token that was changed anywhere gets the same page and stops nothing', async () => {
  await using mails = await createMailsWorld();
  const { world, sql } = mails;
  const { baseUrl, api } = world.service;
  const { accountId } = world;
  const token = new URL(
    api.service.unsubscribeLinks.urlOf({ accountId, address: 'ada@example.com' }),
  ).pathname
    .split('/')
    .at(-1)!;
  const bytes = Buffer.from(token, 'base64url');
  const changed = bytes.map((byte, index) => (index === bytes.length - 1 ? byte ^ 1 : byte));
  const texts = new Set<string>();
  for (const each of [
    Buffer.from(changed).toString('base64url'),
    `${token}A`,
    'x',
    '%00',
    token.slice(0, -2),
  ]) {
    const answer = await fetch(`${baseUrl}/unsubscribe/${each}`, { method: 'POST' });
    texts.add(`${answer.status} ${await answer.text()}`);
  }
  expect(texts.size).toBe(1);
  expect(await sql('select address from mails.suppression')).toEqual([]);
});

test('requests of one recipient that wait for a row leave connections to other accounts, and are limited', async () => {
  await using mails = await createMailsWorld();
  const { service, accountId } = mails.world;
  const { unsubscribeLinks } = service.api.service;
  const { pathname } = new URL(unsubscribeLinks.urlOf({ accountId, address: 'ada@example.com' }));
  const post = async () => (await fetch(`${service.baseUrl}${pathname}`, { method: 'POST' })).status;
  expect(await post()).toBe(200);
  const other = await createTestWorld(service);
  const blocking = await service.db.database.pool.connect();
  try {
    await blocking.query('begin');
    await blocking.query('select from mails.suppression where account_id = $1 for update', [accountId]);
    const waiting = Array.from({ length: 19 }, post);
    await eventually('a request that waits', async () => {
      const rows = await mails.sql(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return rows.length > 0;
    });
    const path = `PATCH /webinars/${other.webinar.id}` as const;
    const answer = await callRest(service, path, { key: other.key, body: { title: 'Not blocked' } });
    expect(answer.status).toBe(200);
    expect(await post()).toBe(503);
    await blocking.query('rollback');
    await Promise.all(waiting);
  } finally {
    blocking.release(true);
  }
});

test('an address that bounced gets no mail at all', async () => {
  await using mails = await createMailsWorld();
  const { world, sql } = mails;
  await sql(
    `insert into mails.suppression (account_id, address, reason, added_at) values ($1, 'gone@example.com', 'hard_bounce', now())`,
    [world.accountId],
  );
  const id = await world.register('Gone@Example.com');
  await mails.untilSent();
  expect(await mails.mails()).toEqual([]);
  const { data } = (await world.call(`GET /registrations/${id}/mails`)).json;
  expect(data).toMatchObject([{ status: 'suppressed', reason: 'hard_bounce', attempts: 0 }]);
});
