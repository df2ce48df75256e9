import { expect, test } from 'vitest';
import { answerTo, findRedirectFault, isLocal, matchesRedirect, redirectHostOf } from './redirect-uri.ts';

test.each([
  'https://claude.ai/api/mcp/auth_callback',
  'https://example.com/callback?tenant=1',
  'http://localhost:33418/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:8080/',
  'cursor://anysphere.cursor-retrieval/oauth/callback',
  'vscode://vscode.github-authentication/did-authenticate',
  'com.example.app:/oauth',
])('a client may have the redirect URI %s', (uri) => {
  expect(findRedirectFault(uri)).toBeUndefined();
});

test.each([
  'javascript:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'JavaScript://example.com/',
  'data:text/html,hello',
  'vbscript://x/',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  'ms-msdt://x',
  'http://example.com/callback',
  'http://127.0.0.1.example.com/callback',
  'http://localhost.example.com/callback',
  'http://10.0.0.1/callback',
  'https:example.com/callback',
  'https:/example.com/callback',
  'https:///example.com/callback',
  'https:\\\\example.com/callback',
  'http:localhost/callback',
  'https://example.com\\@example.org/callback',
  'https://user:pass@example.com/callback',
  'https://example.com/callback#fragment',
  'https://example.com/call\nback',
  ' https://example.com/callback',
  '/callback',
  'callback',
  'myapp:callback',
  `https://example.com/${'a'.repeat(1024)}`,
])('a client may not have the redirect URI %j', (uri) => {
  expect(findRedirectFault(uri)).toBeTypeOf('string');
});

test.each([
  ['https://example.com/callback', true],
  ['https://example.com/callback/', false],
  ['https://example.com/callback?x=1', false],
  ['https://example.com:8443/callback', false],
  ['https://EXAMPLE.com/callback', false],
  ['https://example.com.evil.test/callback', false],
  ['http://127.0.0.1:51234/callback', true],
  ['http://127.0.0.1/callback', true],
  ['http://127.0.0.1:51234/other', false],
  ['http://127.0.0.1:51234/callback?x=1', false],
  ['http://localhost:51234/callback', false],
  ['https://127.0.0.1:51234/callback', false],
  ['http://127.0.0.1:51234@evil.test/callback', false],
])('a request with the redirect URI %s matches: %s', (uri, expected) => {
  const registered = ['https://example.com/callback', 'http://127.0.0.1:3000/callback'];
  expect(matchesRedirect(uri, registered)).toBe(expected);
});

test('the receiver is a host, or the scheme of an application', () => {
  expect(redirectHostOf('https://claude.ai/callback')).toBe('claude.ai');
  expect(redirectHostOf('http://[::1]:8080/')).toBe('[::1]');
  expect(redirectHostOf('cursor://anysphere.cursor/callback')).toBe('cursor:');
});

test('an answer to a loopback address or to a scheme stays on the computer, where any program can receive it', () => {
  const uris = [
    'http://127.0.0.1:1/callback',
    'cursor://anysphere.cursor/callback',
    'https://claude.ai/callback',
  ];
  expect(uris.map(isLocal)).toEqual([true, true, false]);
});

test('an answer keeps the query of the redirect URI and encodes its parameters', () => {
  expect(answerTo('https://example.com/?a=1', { code: 'x y', state: undefined })).toBe(
    'https://example.com/?a=1&code=x+y',
  );
  expect(answerTo('cursor://auth', { error: 'access_denied', state: 'a&b' })).toBe(
    'cursor://auth?error=access_denied&state=a%26b',
  );
});
