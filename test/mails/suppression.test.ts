import { startFake } from '@service/mail-senders/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';
import { connectFake, createMailsWorld } from './mails-world.ts';

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

test('in random histories of suppressions only those who were never suppressed, or only unsubscribed, get service mails', async () => {
  await using fake = await startFake('postmark');
  await using mails = await createMailsWorld();
  const { world } = mails;
  const { accountId, service } = world;
  const { unsubscribeLinks, reportLinks } = service.api.service;
  const connectionId = await connectFake(world, fake);
  const dashboard = await openDashboard(service, world);
  const post = async (url: string, body: string | URLSearchParams): Promise<void> => {
    const { status } = await fetch(service.baseUrl + new URL(url).pathname, { method: 'POST', body });
    expect(status).toBe(200);
  };
  let reports = 0;
  const report = (Email: string, event: { RecordType: string; Type?: string }) =>
    post(
      reportLinks.urlOf({ accountId, connectionId }),
      JSON.stringify({
        ...event,
        ID: ++reports,
        Email,
        MessageID: 'any',
        BouncedAt: new Date().toISOString(),
      }),
    );
  const causes = {
    unsubscribed: (address: string) =>
      post(unsubscribeLinks.urlOf({ accountId, address }), new URLSearchParams()),
    hardBounce: (address: string) => report(address, { RecordType: 'Bounce', Type: 'HardBounce' }),
    complaint: (address: string) => report(address, { RecordType: 'SpamComplaint' }),
    byHand: async (address: string) => void (await dashboard.mutate('suppressions.add', { address })),
    async threeSoftBounces(address: string) {
      for (let count = 0; count < 3; count += 1)
        await report(address, { RecordType: 'Bounce', Type: 'SoftBounce' });
    },
  };
  const names = Object.keys(causes) as (keyof typeof causes)[];
  const histories = fc.sample(fc.array(fc.constantFrom(...names), { maxLength: 3 }), {
    seed: 41,
    numRuns: 40,
  });
  const people = histories.map((history, index) => ({ history, email: `person-${index}@example.com` }));
  const ids: string[] = [];
  for (const { email } of people) ids.push(await world.register(email));
  await mails.untilSent();
  for (const { email, history } of people) for (const cause of history) await causes[cause](email);
  const before = fake.mails.length;
  for (const id of ids) await world.create(`/registrations/${id}/mails/confirmation/send`);
  await mails.untilSent();
  const allowed = people.filter(({ history }) => history.every((cause) => cause === 'unsubscribed'));
  expect(
    fake.mails
      .slice(before)
      .flatMap(({ to }) => to)
      .toSorted(),
  ).toEqual(allowed.map(({ email }) => email).toSorted());
});
