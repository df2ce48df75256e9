import { expect, test } from 'vitest';
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

test('whatever an address is suppressed for, in any order, mails go only where they may', async () => {
  await using mails = await createMailsWorld();
  const { world, sql } = mails;
  const reasons = ['unsubscribed', 'hard_bounce', 'complaint', 'by_hand', 'soft_bounces'];
  const random = createRandom(41);
  const people = Array.from({ length: 40 }, (_, index) => ({
    email: `person-${index}@example.com`,
    history: Array.from(
      { length: Math.floor(random() * 4) },
      () => reasons[Math.floor(random() * reasons.length)]!,
    ),
  }));
  const { sessionTime } = world.webinar;
  await world.service.api.service.database.transaction(async (tx) => {
    for (const { email, history } of people)
      for (const reason of history) await tx.query({ text: suppressText }, [world.accountId, email, reason]);
  });
  const registrations = people.map(({ email }) => ({ name: 'Ada', email: email.toUpperCase(), sessionTime }));
  await world.call('POST /registrations/bulk', { registrations });
  await mails.untilSent();
  const allowed = people.filter(({ history }) => history.every((reason) => reason === 'unsubscribed'));
  const sent = (await mails.mails()).map(({ to }) => to);
  expect(sent.toSorted()).toEqual(allowed.map(({ email }) => email).toSorted());
  const [count] = await sql<{ count: number }>(
    `select count(*)::int from mails.mail where status = 'suppressed' and attempts = 0`,
  );
  expect(count!.count).toBe(people.length - allowed.length);
});

const suppressText = `
  insert into mails.suppression as s (account_id, address, reason, added_at) values ($1, $2, $3, now())
  on conflict (account_id, address) do update set reason = excluded.reason
  where s.reason = 'unsubscribed' and excluded.reason <> 'unsubscribed'`;

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
const createRandom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let value = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
  return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
};
