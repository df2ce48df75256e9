// Outcomes of sends change the state of a connection, through the door that the module of mails uses.
import { takeConnectionNotices } from '@service/connections';
import { accountWriter } from '@service/database';
import { expect } from 'vitest';
import type { TestApi } from '../support/api.ts';
import { insertConnection } from './connection-rows.ts';
import { resendInput, test } from './connections-world.ts';
import { newKey } from './mail-provider.ts';

const startMs = Date.parse('2026-12-01T12:00:00Z');
const sent = { kind: 'sent', providerMessageId: undefined } as const;
const later = { kind: 'later', reason: '429 Too fast', retryAfterMs: undefined, restsLane: true } as const;
const refused = { kind: 'credential_refused', reason: 'API key is invalid' } as const;
const mailRefused = { kind: 'mail_refused', reason: 'The domain is not verified' } as const;

type Outcome = Parameters<TestApi['api']['service']['connections']['recordOutcome']>[2];

function outcomesOf({ api, db }: TestApi, accountId: string, id: string) {
  const { connections } = api.service;
  return {
    /** Records an outcome this many seconds after the start. */
    record: (outcome: Outcome, seconds: number, version = 1) =>
      db.database.transaction((tx) =>
        connections.recordOutcome(
          accountWriter(tx, { accountId, now: new Date(startMs + seconds * 1000) }),
          { id, version },
          outcome,
        ),
      ),
    verify: (refusal: typeof refused | typeof mailRefused, version = 1) =>
      connections.verifyAfterRefusal(accountId, { id, version }, refusal),
    async row() {
      const { rows } = await db.database.pool.query(
        `select state, reason, laters, last_success_at as "lastSuccessAt", xmin::text as write
         from connections.connection where id = $1`,
        [id],
      );
      return rows[0];
    },
    /** As if the last verification were some time ago. */
    forgetCheck: () =>
      db.database.pool.query(
        `update connections.connection set checked_at = now() - interval '1 hour' where id = $1`,
        [id],
      ),
  };
}

test('successes write at most once a minute, and failures in between are counted from the last success', async ({
  service,
  account,
}) => {
  const { accountId } = account;
  const { record, row } = outcomesOf(service, accountId, await insertConnection(service, accountId));
  await record(sent, 0);
  const first = await row();
  expect(first.lastSuccessAt).toEqual(new Date(startMs));
  for (let second = 1; second < 60; second += 1) await record(sent, second);
  expect((await row()).write).toBe(first.write);
  await record(sent, 60);
  expect(await row()).toMatchObject({ lastSuccessAt: new Date(startMs + 60_000) });

  for (const second of [61, 62, 63, 64]) await record(later, second);
  expect(await row()).toMatchObject({ state: 'connected', laters: 4 });
  await record(sent, 65);
  await record(later, 66);
  expect(await row()).toMatchObject({
    state: 'connected',
    laters: 1,
    lastSuccessAt: new Date(startMs + 65_000),
  });
});

test('a failing connection is connected again with its first success', async ({ service, account }) => {
  const { accountId } = account;
  const { record, row } = outcomesOf(service, accountId, await insertConnection(service, accountId));
  for (const second of [0, 1, 2, 3]) await record(later, second);
  await record({ kind: 'recipient_refused', reason: 'No such mailbox' }, 4);
  await record({ kind: 'uncertain', reason: 'The answer was lost' }, 5);
  expect(await row()).toMatchObject({ state: 'failing', reason: 'The answer was lost' });
  await record(sent, 6);
  expect(await row()).toMatchObject({ state: 'connected', reason: null, laters: 0 });
});

test('a refused credential disconnects only when the provider refuses it again', async ({
  service,
  account,
  owner,
  provider,
}) => {
  const { connection } = await owner.mutate('connections.connect', resendInput(provider));
  const { record, verify, row, forgetCheck } = outcomesOf(service, account.accountId, connection.id);
  expect(await record(refused, 0)).toEqual({ mustVerify: true });
  provider.requests.length = 0;
  expect(await verify(refused)).toBe('connected');
  expect(provider.requests).toEqual([]);

  await forgetCheck();
  expect(await verify(refused)).toBe('attention');
  await forgetCheck();
  provider.key = newKey();
  expect(await verify(refused)).toBe('disconnected');
  expect(await row()).toMatchObject({
    state: 'disconnected',
    reason: expect.stringMatching(/^API key is invalid/),
  });
  await record(later, 60);
  expect((await row()).state).toBe('disconnected');
  await forgetCheck();
  expect(await verify(refused, 7)).toBe('disconnected');
});

test('a refused mail asks for attention until people were notified, unless its content was refused', async ({
  service,
  account,
  owner,
  provider,
}) => {
  const { connection } = await owner.mutate('connections.connect', resendInput(provider));
  const { record, verify, row, forgetCheck } = outcomesOf(service, account.accountId, connection.id);
  expect(await record(mailRefused, 0)).toEqual({ mustVerify: true });
  await forgetCheck();
  expect(await verify(mailRefused)).toBe('connected');
  // A key that may only send lists no domains.
  provider.override = (_request, response) =>
    void response.writeHead(401).end('{"name":"restricted_api_key","message":"This key can only send"}');
  await forgetCheck();
  expect(await verify(mailRefused)).toBe('attention');
  expect(await row()).toMatchObject({ reason: 'The domain is not verified' });
  await record(sent, 60);
  expect((await row()).state).toBe('attention');
  const now = new Date(startMs + 120_000);
  await service.db.database.transaction((tx) => takeConnectionNotices(tx, { limit: 10, now }));
  await record(sent, 180);
  expect((await row()).state).toBe('connected');
});

test('an outcome of a replaced credential is ignored', async ({ service, account }) => {
  const { accountId } = account;
  const { record, row } = outcomesOf(service, accountId, await insertConnection(service, accountId));
  for (let second = 0; second < 9; second += 1) await record(later, second, 2);
  expect(await row()).toMatchObject({ state: 'connected', laters: 0 });
});

test('a connection of another workspace is neither found nor changed', async ({ service, account }) => {
  const { connections } = service.api.service;
  const id = await insertConnection(service, account.accountId);
  const other = '0193e3a0-0000-7000-8000-000000000000';
  const { record, verify } = outcomesOf(service, other, id);
  for (let second = 0; second < 9; second += 1) await record(later, second);
  expect(await verify(refused)).toBeUndefined();
  expect(
    await connections.findMailConnection({ query: service.db.database.query, accountId: other }),
  ).toBeUndefined();
  const { row } = outcomesOf(service, account.accountId, id);
  expect(await row()).toMatchObject({ state: 'connected', laters: 0 });
});
