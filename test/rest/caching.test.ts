import { dataOf, keyQuery, router } from '@service/trpc';
import { expect } from 'vitest';
import { z } from 'zod';
import { callRest, createTestAccount, createTestKey, createTestWebinar } from '../support/api.ts';
import { serveRest } from '../support/chain.ts';
import { test } from '../support/service-test.ts';

test('an answer that has not changed since its ETag is not sent again', async ({
  service,
  account: { accountId },
}) => {
  const { key } = await createTestKey(service, accountId);
  const first = await callRest(service, 'GET /webinars', { key });
  const etag = first.headers.get('etag')!;
  expect(etag).toMatch(/^W\/"[\w-]{20,}"$/);
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  for (const tag of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
    const again = await callRest(service, 'GET /webinars', { key, headers: { 'If-None-Match': tag } });
    expect([again.status, again.text, again.headers.get('etag')], tag).toEqual([304, '', etag]);
    expect(again.headers.has('x-ratelimit-remaining')).toBe(true);
  }
  await createTestWebinar(service, accountId);
  const changed = await callRest(service, 'GET /webinars', { key, headers: { 'If-None-Match': etag } });
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(etag);
});

test('writes without a record and refusals carry no ETag and must not be cached', async ({
  service,
  account: { accountId },
}) => {
  const { key } = await createTestKey(service, accountId);
  const { id, sessionTime } = await createTestWebinar(service, accountId);
  const registration = `POST /webinars/${id}/registrations`;
  for (const route of [registration, 'GET /webinars/none', 'GET /webinars?limit=0']) {
    const body = route === registration ? { name: 'Ada', email: 'ada@example.com', sessionTime } : undefined;
    const answer = await callRest(service, route, { key, body });
    expect([answer.headers.has('etag'), answer.headers.get('cache-control')], route).toEqual([
      false,
      'no-store',
    ]);
  }
});

test('following rel="next" visits every row once and keeps the filters', async ({
  service,
  account: { accountId },
}) => {
  const { key } = await createTestKey(service, accountId);
  for (let made = 0; made < 5; made += 1) await createTestWebinar(service, accountId);
  const seen: string[] = [];
  let url: string | undefined = '/webinars?limit=2&status=published';
  for (let pages = 0; url; pages += 1) {
    expect(pages).toBeLessThan(4);
    const page = await callRest(service, `GET ${url}`, { key });
    expect(page.status).toBe(200);
    seen.push(...page.json.data.map((webinar: { id: string }) => webinar.id));
    const link = page.headers.get('link');
    expect(link === null).toBe(!page.json.pagination.hasMore);
    const target = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
    url = target?.slice(`${service.baseUrl}/api/v1`.length);
    if (target) expect(new URL(target).searchParams.get('limit')).toBe('2');
  }
  expect(new Set(seen).size).toBe(5);
  expect(seen).toHaveLength(5);
});

test('answers of a deprecated route name its deprecation date, its end and its successor', async ({
  service,
}) => {
  const { key } = await createTestKey(service, (await createTestAccount(service)).accountId);
  const old = router({
    old: keyQuery({
      rest: 'GET /old',
      tool: 'get_old',
      summary: 'Old',
      tag: 'Old',
      deprecation: { since: '2026-11-01T00:00:00Z', sunset: '2027-06-01T00:00:00Z', successor: '/new' },
    })
      .output(dataOf(z.string()))
      .query(() => ({ data: 'old' })),
  });
  await using server = await serveRest(service, old);
  const answer = await fetch(`${server.origin}/old`, { headers: { Authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('deprecation')).toBe('@1793491200');
  expect(answer.headers.get('sunset')).toBe('Tue, 01 Jun 2027 00:00:00 GMT');
  expect(answer.headers.get('link')).toBe(`<${service.baseUrl}/api/v1/new>; rel="successor-version"`);
});
