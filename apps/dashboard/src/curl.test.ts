import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toCurl } from './curl.ts';

/** The arguments that a shell passes to curl. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

test('a shell hands exactly the headers and the bytes of the request to curl', () => {
  const body = `{"name":"Ada's \\"$HOME\\" \`id\` \\\\ %s","text":"two\nlines"}`;
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': "sha256=it's",
    'x-empty': '',
    host: 'example.com',
    'Content-Length': '12',
  };
  expect(argumentsOf(toCurl({ url: "https://example.com/hook?a=1&b='2'", headers, body }))).toEqual([
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
