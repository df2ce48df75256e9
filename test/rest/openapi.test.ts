import { allFailureReasons, allScopes, failureReasons, scopes } from '@service/catalogue';
import { listRoutes } from '@service/rest';
import { signBody } from '@service/signing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRest, createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { contractOf } from '../support/check-answer.ts';
import type { Contract } from '../support/contract.ts';

let service: TestApi;
let contract: Contract;

beforeAll(async () => {
  service = await testApi({ rateLimit: { requests: 777, windowSeconds: 7 } });
  contract = await contractOf(service.baseUrl);
});
afterAll(() => service[Symbol.asyncDispose]());

const routes = () =>
  listRoutes(service.api.service.router).map((route) => {
    const name = `${route.method} ${route.template}`;
    return {
      ...route,
      name,
      operation: contract.document.paths[route.template]![route.method.toLowerCase()]!,
    };
  });

test('every route is one operation with its scope, its tool and a name of its own', () => {
  const operations = Object.values(contract.document.paths).flatMap((item) => Object.values(item));
  expect(operations).toHaveLength(routes().length);
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, scope, operation } of routes()) {
    expect(operation['x-required-scope'], name).toBe(scope);
  }
});

test('every scope is needed by a route, and the document describes every scope and failure kind', () => {
  const needed = new Set(routes().flatMap(({ scope }) => scope ?? []));
  expect([...needed].toSorted()).toEqual(allScopes.toSorted());
  const text = JSON.stringify(contract.document);
  for (const scope of allScopes) expect(text).toContain(`| \`${scope}\` | ${scopes[scope]} |`);
  for (const kind of allFailureReasons)
    expect(text).toContain(`\`${kind}\`: ${failureReasons[kind].description}`);
});

test('the service would accept every example of a request', () => {
  for (const { name, operation, input, pathParameters } of routes()) {
    const path = Object.fromEntries(
      (operation.parameters ?? []).flatMap((parameter) =>
        'example' in parameter && parameter.in === 'path' ? [[parameter.name, parameter.example]] : [],
      ),
    );
    expect(Object.keys(path), name).toEqual(pathParameters);
    const example = operation.requestBody?.content['application/json']?.example as object | undefined;
    const parsed = input.safeParse({ ...path, ...example });
    expect(parsed.error?.issues, name).toBeUndefined();
  }
});

test('there is an example of every body, and each is as its schema says', () => {
  const wrong: unknown[] = [];
  const visit = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, inner] of Object.entries(node)) {
      if (name !== 'application/json') {
        visit(inner, `${place}/${name}`);
        continue;
      }
      const { schema, example, examples = {} } = inner as Record<string, object>;
      const values = example
        ? [example]
        : Object.values(examples).map((one) => (one as { value: unknown }).value);
      if (values.length === 0) wrong.push([place, 'no example']);
      for (const value of values) {
        const problems = contract.problemsOfValue(schema, value);
        if (problems.length > 0) wrong.push([place, problems]);
      }
    }
  };
  visit(contract.document, '');
  expect(wrong).toEqual([]);
});

test('every tag is described', () => {
  expect(contract.document.tags!.filter(({ description }) => description === '')).toEqual([]);
});

test('every event that can be sent is a webhook of the document', () => {
  const { webhooks } = contract.document;
  expect(Object.keys(webhooks!)).toContain('registered');
  for (const [type, { post }] of Object.entries(webhooks!)) {
    const { example } = post!.requestBody!.content['application/json']!;
    expect((example as { event_type: string }).event_type).toBe(type);
  }
});

test('the text names the limits of this installation', () => {
  expect(contract.document.info['description']).toContain('777 requests per 7 seconds');
});

test('the code shown for receivers accepts our signature and refuses another', async () => {
  const [, snippet] = /```js\n([^]*?)```/.exec(contract.document.info['description'] as string)!;
  const module = (await import(`data:text/javascript,${encodeURIComponent(snippet!)}`)) as {
    isAuthentic(body: Uint8Array, signature: string | undefined, secret: string): boolean;
  };
  const body = Buffer.from('{"event_type":"registered","attendee":{"name":"Zoë"}}');
  const signature = signBody('whsec_secret', body);
  expect(module.isAuthentic(body, signature, 'whsec_secret')).toBe(true);
  expect(module.isAuthentic(Buffer.concat([body, Buffer.from(' ')]), signature, 'whsec_secret')).toBe(false);
  expect(module.isAuthentic(body, signature, 'whsec_other')).toBe(false);
  expect(module.isAuthentic(body, undefined, 'whsec_secret')).toBe(false);
});

test('each error code says in one sentence what to do, and names only operations that exist', () => {
  const { document } = contract;
  const codes = Object.entries(
    document['x-error-codes'] as Record<string, { message: string; remedy: string }>,
  );
  expect(codes.length).toBeGreaterThan(100);
  for (const [code, { message, remedy }] of codes) {
    expect(remedy, code).toMatch(/^[A-Z`].{20,}[^.]\.$/);
    expect(remedy, code).not.toMatch(/\. [A-Z]/);
    expect(message, code).not.toContain(remedy);
    for (const [named, method, path] of remedy.matchAll(/`(GET|POST|PATCH|DELETE) (\/(?!room)[^`]+)`/g))
      expect(document.paths[path!]?.[method!.toLowerCase()], `${code}: ${named}`).toBeDefined();
  }
});

test('an answer that differs from the document is reported with its operation and its problems', async () => {
  const { key } = await createTestWorld(service);
  const { status, headers, json } = await callRest(service, 'GET /webinars', { key });
  const problemsOf = (change: object = {}, extra: Record<string, string | null> = {}): string[] => {
    const changed = new Headers(headers);
    for (const [name, value] of Object.entries(extra)) {
      if (value === null) changed.delete(name);
      else changed.set(name, value);
    }
    const text = JSON.stringify(json);
    return contract.problemsOf({
      method: 'GET',
      path: '/webinars',
      status,
      headers: changed,
      text,
      ...change,
    });
  };
  const [webinar] = json.data;
  const body = (data: unknown) => ({ text: JSON.stringify({ ...json, data }) });

  expect(problemsOf()).toEqual([]);
  expect(problemsOf(body([{ ...webinar, shoeSize: 42 }]))).toEqual([
    'body/data/0 must NOT have additional properties shoeSize',
  ]);
  expect(problemsOf(body([{ ...webinar, title: undefined }]))).toEqual([
    "body/data/0 must have required property 'title'",
  ]);
  expect(problemsOf(body([{ ...webinar, createdAt: '2026-11-20T00:00:00Z' }]))[0]).toContain('createdAt');
  expect(problemsOf({ text: '<html>' })).toEqual(['the body is not JSON']);
  expect(problemsOf({ status: 418 })[0]).toContain('status 418 is not documented');
  expect(problemsOf({}, { etag: null })).toEqual(['header etag is missing']);
  expect(problemsOf({}, { location: '/elsewhere' })).toEqual(['header location is not documented']);
  expect(problemsOf({}, { 'x-ratelimit-remaining': 'many' })[0]).toContain('header x-ratelimit-remaining');
  expect(problemsOf({}, { 'content-type': 'text/html' })).toEqual(['the content type is text/html']);
  expect(problemsOf({ method: 'GET', path: '/nowhere' })[0]).toContain('status 200 is not documented');
  const refused = await callRest(service, 'GET /webinars?limit=0', { key });
  expect(
    problemsOf(
      { status: 422, text: refused.text.replace('validation_failed', 'no_such_code') },
      {
        etag: null,
        link: null,
      },
    ),
  ).toEqual(['code no_such_code is not in the catalogue with status 422']);
});
