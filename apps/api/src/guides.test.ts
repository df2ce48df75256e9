// The samples in the guides are run by test/api/samples.test.ts.
import { commonErrors } from '@service/errors';
import express from 'express';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuides } from './guides.ts';

const errors = commonErrors.catalogue;
const values = { baseUrl: 'https://webinars.example.com', requests: 600, windowSeconds: 60 };
const figures = { idempotencyHours: 24, attempts: 11, retryHours: 75.6 };
const base = '/api/v1/docs';
const app = express().use(base, createGuides({ errors, values: { ...values, ...figures } }));
const server = createServer(app);
let origin: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const guidesFolder = new URL('../guides/', import.meta.url);
const files = readdirSync(guidesFolder).filter((file) => file.endsWith('.md'));
const read = async (path: string) => {
  const response = await fetch(new URL(path, origin));
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const pages = [
  `${base}/guides`,
  `${base}/errors`,
  ...files.map((file) => `${base}/${file === 'changelog.md' ? '' : 'guides/'}${file.replace('.md', '')}`),
];

test('every page has a title, a policy that allows no script, and is Markdown with .md', async () => {
  expect(pages).toHaveLength(12);
  for (const path of pages) {
    const { status, headers, text } = await read(path);
    expect([status, headers.get('content-type')], path).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
    expect(text).toMatch(/<title>\w.*<\/title>/);
    expect(text).not.toMatch(/<script|style=|\{\{\w/);
    const source = await read(`${path}.md`);
    expect([source.status, source.text.slice(0, 2)]).toEqual([200, '# ']);
  }
});

test('every link of a page leads to a page, and its anchor exists there', async () => {
  const dead: string[] = [];
  for (const path of pages) {
    for (const [, href] of (await read(path)).text.matchAll(/<a href="([^"]+)"/g)) {
      const target = new URL(href!, new URL(path, origin));
      // The reference is another part of the API.
      if (target.origin !== origin || target.pathname === base) continue;
      const { status, text } = await read(target.pathname);
      const anchor = target.hash.slice(1);
      const isHere = anchor === '' || text.includes(`id="${anchor}"`);
      // This page of errors has the common ones only. Links to the others are checked below.
      if (status !== 200 || !(isHere || target.pathname.endsWith('/errors'))) dead.push(`${path}: ${href}`);
    }
  }
  expect(dead).toEqual([]);
});

test('the page of errors has an anchor for each code, with what to do', async () => {
  const { text } = await read(`${base}/errors`);
  for (const code of Object.keys(errors)) expect(text).toContain(`<h2 id="${code}">${code}</h2>`);
  expect(text.match(/<strong>What to do\.<\/strong> \w/g)).toHaveLength(Object.keys(errors).length);
});

test('guides name only operations and error codes of the API', () => {
  const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, object>;
    'x-error-codes': object;
  };
  const operation = /`(GET|POST|PATCH|DELETE) (\/[^` ]+)`/g;
  for (const file of files) {
    const text = readFileSync(new URL(file, guidesFolder), 'utf8');
    for (const [named, method, path] of text.matchAll(operation))
      expect(document.paths[path!], `${file}: ${named}`).toHaveProperty(method!.toLowerCase());
    for (const [named, code] of text.matchAll(/errors#(\w+)/g))
      expect(document['x-error-codes'], `${file}: ${named}`).toHaveProperty(code!);
  }
});

test('every sample in a programming language has a file name, so that it is run', () => {
  const languages = new Set(['js', 'python', 'php', 'go', 'ruby']);
  for (const file of files)
    for (const [, language, name] of readFileSync(new URL(file, guidesFolder), 'utf8').matchAll(
      /^```(\w+)(?: (\S+))?$/gm,
    ))
      expect(name !== undefined || !languages.has(language!), `${file}: ${language}`).toBe(true);
});
