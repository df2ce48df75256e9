import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { createAttribution, createRevenueIntake, revenueProviders } from '@service/revenue';
import { expect } from 'vitest';
import { testApi } from '../support/api.ts';
import { postToDoor } from '../support/shop.ts';
import { purchase, sign, test } from './sender.ts';

test('an account that sends too fast is refused with a wait, and neither forged events nor other accounts use up its limit', async ({
  shop,
}) => {
  const { service } = shop;
  const { database, secretBox, changes, log, subscriber } = service.api.service;
  const intake = createRevenueIntake({
    database,
    secretBox,
    changes,
    log,
    attribution: createAttribution({ subscriber }),
    providers: revenueProviders,
    baseUrl: service.baseUrl,
    eventsOfAccount: { burst: 3, perMinute: 1 },
  });
  const provider = revenueProviders.find(({ name }) => name === 'generic')!;
  const senderOf = async () => {
    const { secret, account } = await shop.another();
    const { accountId } = account;
    return async (key = secret): Promise<number | string> => {
      const body = Buffer.from(JSON.stringify(purchase()));
      const headers = { 'x-service-signature': sign(key, body) };
      const received = intake.receive({ accountId, provider, headers, body, sender: 'test' });
      return received.then(
        ({ status }) => status,
        (error: { code: string; retryAfterSeconds?: number }) => `${error.code} ${error.retryAfterSeconds}`,
      );
    };
  };
  const [one, two] = [await senderOf(), await senderOf()];
  for (let time = 0; time < 5; time += 1) expect(await one('forged')).toBe('invalid_signature undefined');
  expect([await one(), await one(), await one()]).toEqual([202, 202, 202]);
  expect(await one()).toMatch(/^revenue_rate_limited [1-9]/);
  expect(await two()).toBe(202);
  await intake.close();
});

test('an address that sends many bodies slowly is refused further ones, and other addresses are not', async ({
  shop,
}) => {
  const { port } = new URL(shop.service.baseUrl);
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), 'localhost');
    await once(socket, 'connect');
    socket.write(
      `POST ${shop.paths.generic} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.9\r\nContent-Length: 9\r\n\r\n{`,
    );
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: 200 }, open));
  const body = JSON.stringify(purchase());
  const send = (from: string) =>
    shop.post('generic', body, {
      'X-Service-Signature': sign(shop.secret, body),
      'X-Forwarded-For': from,
    });
  await expect.poll(async () => (await send('203.0.113.9')).status, { timeout: 30_000 }).toBe(429);
  expect((await send('203.0.113.10')).status).toBeLessThan(300);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await send('203.0.113.9')).status, { timeout: 30_000 }).toBeLessThan(300);
});

test('after a start many valid events from one address are accepted at once, before the keys are known', async ({
  shop,
}) => {
  await using another = await testApi({ shared: shop.service.db });
  const answers = await Promise.all(
    Array.from({ length: 180 }, () => {
      const body = JSON.stringify(purchase());
      const headers = { 'X-Service-Signature': sign(shop.secret, body) };
      return postToDoor(another, shop.paths.generic, { body, headers });
    }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
});
