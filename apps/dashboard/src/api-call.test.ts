import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { apiCallToCurl, toCurl } from './api-call.ts';

/** The words that a shell passes to curl. */
const wordsOf = (command: string): string[] =>
  execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], {
    env: { API_KEY: 'svc_live_1' },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1);

test('a read is a URL with its filters and the key', () => {
  const command = apiCallToCurl(
    {
      operation: 'GET /webinars/{webinarId}/registrations',
      params: { webinarId: 'w1' },
      query: { email: "o'neil+a@example.com", status: undefined, limit: 50 },
    },
    'https://example.com',
  );
  expect(wordsOf(command)).toEqual([
    'https://example.com/api/v1/webinars/w1/registrations?email=o%27neil%2Ba%40example.com&limit=50',
    '-H',
    'Authorization: Bearer svc_live_1',
  ]);
});

test('a write carries its JSON through the shell unchanged', () => {
  const body = { title: `It's "$HOME" \`date\` \\ @file`, schedule: { onDemand: true } };
  const words = wordsOf(
    apiCallToCurl({ operation: 'POST /webinars', params: {}, body }, 'https://example.com'),
  );
  expect(words.slice(0, 3)).toEqual(['-X', 'POST', 'https://example.com/api/v1/webinars']);
  expect(words.at(-2)).toBe('--data-raw');
  expect(JSON.parse(words.at(-1)!)).toEqual(body);
});

test('a shell hands exactly the headers and the bytes of the request to curl', () => {
  const body = `{"name":"Ada's \\"$HOME\\" \`id\` \\\\ %s","text":"two\nlines"}`;
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': "sha256=it's",
    'x-empty': '',
    host: 'example.com',
    'Content-Length': '12',
  };
  expect(wordsOf(toCurl({ url: "https://example.com/hook?a=1&b='2'", headers, body }))).toEqual([
    '-X',
    'POST',
    "https://example.com/hook?a=1&b='2'",
    '-H',
    'content-type: application/json',
    '-H',
    "x-service-signature: sha256=it's",
    '-H',
    'x-empty;',
    '--data-raw',
    body,
  ]);
});
