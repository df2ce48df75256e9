import { commonErrors } from '@service/errors';
import { dataOf, router, scopedMutation } from '@service/trpc';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTestAccount, createTestKey, testApi } from '../support/api.ts';
import { serveRest } from '../support/chain.ts';

const writing = router({
  write: scopedMutation({
    scope: 'webinars:write',
    rest: 'POST /write',
    tool: 'write',
    summary: 'Write, then refuse',
    tag: 'Test',
  })
    .output(dataOf(z.string()))
    .mutation(({ ctx }) =>
      ctx.transaction(async (tx) => {
        await tx.query({ text: `insert into public.note values ('now')` }, []);
        tx.defer({ text: `insert into public.note values ('deferred')` }, []);
        throw commonErrors.not_found();
      }),
    ),
});

test('a refusal is kept without anything its handler wrote before it refused', async () => {
  await using service = await testApi();
  const { key } = await createTestKey(service, (await createTestAccount(service)).accountId);
  const { database } = service.db;
  await database.pool.query('create table public.note (text text)');
  await using server = await serveRest(service, writing);
  const send = async () => {
    const headers = { Authorization: `Bearer ${key}`, 'Idempotency-Key': 'refused' };
    const answer = await fetch(`${server.origin}/write`, { method: 'POST', headers });
    return [answer.status, answer.headers.has('idempotent-replayed'), await answer.text()];
  };
  const [status, isReplay, text] = await send();
  const again = await send();
  expect([status, isReplay]).toEqual([404, false]);
  expect(again).toEqual([404, true, text]);
  expect((await database.pool.query('select * from public.note')).rows).toEqual([]);
});
