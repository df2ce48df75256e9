import { request, type IncomingHttpHeaders } from 'node:http';
import { revokeApiKey } from '@service/keys';
import { expect } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  createTestWebinar,
  testApi,
  type TestApi,
} from '../support/api.ts';
import { test } from '../support/service-test.ts';

/** Everything a caller can see of an answer, but for what differs in every answer. */
async function seen(
  service: TestApi,
  route: string,
  { authorization, body }: { authorization?: string; body?: string },
) {
  const [method, path] = route.split(' ') as [string, string];
  const answer = await new Promise<{
    status?: number;
    statusText?: string;
    headers: IncomingHttpHeaders;
    raw: string[];
    body: string;
  }>((resolve, reject) => {
    const call = request(`${service.baseUrl}/api/v1${path}`, {
      method,
      headers: { ...(authorization && { authorization }), 'x-request-id': 'same' },
    });
    call.on('error', reject);
    call.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          statusText: response.statusMessage,
          headers: response.headers,
          raw: response.rawHeaders,
          body: text,
        }),
      );
    });
    call.end(body);
  });
  const headers = answer.raw.join('\n').replace(/\nDate\n[^\n]*/, '');
  return { status: answer.status, statusText: answer.statusText, headers, body: answer.body };
}

test('the seven causes of a 401 give byte-identical answers, on every route, with any body and any ids', async ({
  service,
  account: { accountId },
}) => {
  const webinar = await createTestWebinar(service, accountId);
  const revoked = await createTestKey(service, accountId);
  await service.db.database.transaction((tx) =>
    revokeApiKey({ ...tx, accountId, now: new Date() }, revoked.id),
  );
  const expired = await createTestKey(service, accountId, { expiresAt: new Date(Date.now() + 3_600_000) });
  await service.db.database.pool.query('update keys.api_key set expires_at = now() where id = $1', [
    expired.id,
  ]);
  const mcpOnly = await createTestKey(service, accountId, { surfaces: ['mcp'] });
  const wrongScope = await createTestKey(service, accountId, { scopes: ['interactions:read'] });

  const causes = {
    missing: undefined,
    malformed: 'Bearer svc_live_short',
    unknown: `Bearer svc_live_${'A'.repeat(32)}`,
    revoked: `Bearer ${revoked.key}`,
    expired: `Bearer ${expired.key}`,
    surface: `Bearer ${mcpOnly.key}`,
    scope: `Bearer ${wrongScope.key}`,
  };
  const routes = [
    ['GET /webinars', undefined],
    ['GET /webinars?limit=nonsense', undefined],
    [`GET /webinars/${webinar.id}`, undefined],
    ['GET /webinars/not-an-id', undefined],
    [`POST /webinars/${webinar.id}/registrations`, '{broken'],
    [`POST /webinars/${webinar.id}/webhooks`, JSON.stringify({ url: 'http://10.0.0.1' })],
    [`DELETE /webinars/${webinar.id}/webhooks/${webinar.id}`, undefined],
  ] as const;

  const answers = [];
  for (const [route, body] of routes) {
    for (const authorization of Object.values(causes))
      answers.push(await seen(service, route, { authorization, body }));
  }
  expect(answers[0]!.status).toBe(401);
  expect(JSON.parse(answers[0]!.body).message).toBe('Invalid API key');
  for (const answer of answers) expect(answer).toStrictEqual(answers[0]);
});

test('without a key a path that does not exist looks like one that does', async ({ service }) => {
  const there = await seen(service, 'GET /webinars', {});
  expect(await seen(service, 'GET /nowhere', {})).toStrictEqual(there);
  expect(await seen(service, 'PUT /webinars', {})).toStrictEqual(there);
});

test('a revoked key is refused by another API process on the very next request', async () => {
  await using first = await testApi();
  await using second = await testApi({ shared: first.db });
  const { accountId } = await createTestAccount(first);
  const { key, id } = await createTestKey(first, accountId);
  // Both have just accepted it, so anything either remembered about it would show.
  for (const service of [first, second, first, second]) {
    expect((await callRest(service, 'GET /webinars', { key })).status).toBe(200);
  }
  await first.db.database.transaction((tx) => revokeApiKey({ ...tx, accountId, now: new Date() }, id));
  expect((await callRest(second, 'GET /webinars', { key })).status).toBe(401);
  expect((await callRest(first, 'GET /webinars', { key })).status).toBe(401);
});

test('the database contains no key in clear', async ({ service, account: { accountId } }) => {
  const { key } = await createTestKey(service, accountId);
  await callRest(service, 'GET /webinars', { key });
  await service.api.service.activity.flush();
  const { pool } = service.db.database;
  const tables = await pool.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables.rows) {
    const found = await pool.query(`select count(*)::int as found from ${name} t where t::text like $1`, [
      `%${key.slice(13, -4)}%`,
    ]);
    expect(found.rows[0].found, name).toBe(0);
  }
});
