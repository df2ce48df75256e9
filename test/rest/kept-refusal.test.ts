import { commonErrors } from '@service/errors';
import { dataOf, router, scopedMutation } from '@service/trpc';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTestAccount, createTestKey, testApi } from '../support/api.ts';
import { serveRest } from '../support/chain.ts';

const refusing = (name: string, refusal: () => Error) =>
  scopedMutation({
    scope: 'webinars:write',
    rest: `POST /${name}`,
    tool: name,
    summary: 'Write, then refuse',
    tag: 'Test',
  })
    .output(dataOf(z.string()))
    .mutation(({ ctx }) =>
      ctx.transaction(async (tx) => {
        await tx.query({ text: `insert into public.note values ('now')` }, []);
        tx.defer({ text: `insert into public.note values ('deferred')` }, []);
        throw refusal();
      }),
    );

const writing = router({
  lasting: refusing('lasting', () => commonErrors.not_found()),
  passing: refusing('passing', () => commonErrors.not_found({ retryAfterSeconds: 1 })),
});

test('a refusal is kept without anything its handler wrote before it refused, and not if it names a wait', async () => {
  await using service = await testApi();
  const { key } = await createTestKey(service, (await createTestAccount(service)).accountId);
  const { database } = service.db;
  await database.pool.query('create table public.note (text text)');
  await using server = await serveRest(service, writing);
  const send = async (name: string) => {
    const headers = { Authorization: `Bearer ${key}`, 'Idempotency-Key': name };
    const answer = await fetch(`${server.origin}/${name}`, { method: 'POST', headers });
    return [answer.status, answer.headers.has('idempotent-replayed'), await answer.text()];
  };
  const [status, isReplay, text] = await send('lasting');
  const again = await send('lasting');
  expect([status, isReplay]).toEqual([404, false]);
  expect(again).toEqual([404, true, text]);
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect((await send('passing')).slice(0, 2)).toEqual([404, false]);
  expect((await database.pool.query('select * from public.note')).rows).toEqual([]);
});
