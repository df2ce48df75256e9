import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../support/api.ts';

let service: TestApi;
beforeAll(async () => {
  service = await testApi();
});
afterAll(() => service[Symbol.asyncDispose]());

const get = (path: string, init?: RequestInit) => fetch(service.baseUrl + path, init);

test('any path that is not a program gets the dashboard, and no program path ever gets a page', async () => {
  for (const path of [
    '/',
    '/sign-in',
    '/w/019aa1a2-0000-7000-8000-000000000000/webinars',
    '/connect?request=x',
  ]) {
    const page = await get(path);
    expect([page.status, page.headers.get('content-type')], path).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-frame-options')).toMatch(/DENY|SAMEORIGIN/);
  }
  for (const path of [
    '/api',
    '/api/nothing',
    '/trpc',
    '/mcp/nothing',
    '/oauth/nothing',
    '/.well-known/oauth-authorization-server',
    '/assets/none.js',
    '/room-assets/none.js',
    '/room-assets/registration.html',
  ]) {
    const answer = await get(path);
    expect(answer.status, path).toBe(404);
    expect(await answer.text(), path).not.toContain('<!doctype');
  }
  for (const path of ['/w/launch-k3f9x2', '/%77/launch-k3f9x2/embed']) {
    const answer = await get(path);
    expect(answer.status, path).toBe(404);
    expect(await answer.text(), path).toContain('"code":"not_found"');
  }
  for (const path of ['/mcp', '/mcp/readonly', '/mcp/connect']) {
    const mcp = await get(path);
    expect([mcp.status, mcp.headers.get('content-type')]).toEqual([401, expect.stringContaining('json')]);
  }
});

test('the preview of the room calls nothing, and only the dashboard shows it in a frame', async () => {
  const page = await get('/room/preview');
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('/room-assets/preview-');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).not.toContain('connect-src');
  expect((await get('/room/preview', { method: 'POST' })).status).toBe(405);
});

test('a path that cannot be decoded is refused without a stack trace', async () => {
  for (const path of ['/%ff', '/assets/%E0%A4%A', '/api/auth/%ff']) {
    const answer = await get(path);
    expect(answer.status, path).toBeLessThan(500);
    expect(await answer.text(), path).not.toMatch(/node_modules|URIError|at \S+:\d/);
  }
});

test('health, readiness, metrics and the document answer without a key', async () => {
  expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
  expect(await (await get('/readyz')).json()).toEqual({ status: 'ok' });
  expect(await (await get('/metrics')).text()).toContain('http_request_duration_seconds');
  const document = await get('/api/v1/openapi.json');
  const etag = document.headers.get('etag')!;
  expect(await document.json()).toMatchObject({ openapi: '3.1.0' });
  expect(
    (await get('/api/v1/openapi.json', { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } }))
      .status,
  ).toBe(304);
});
