import { expect, test } from 'vitest';
import { checkDestination, createOutboundPolicy } from './index.ts';
import { ResolveError } from './resolver.ts';
import { createTableResolver } from './testing/test-sender.ts';

const policy = createOutboundPolicy({ allowedCidrs: [], allowHttp: false });
const resolver = createTableResolver({
  'example.com': [['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c']],
});

test.each([
  ['not a url', 'invalid_url'],
  ['/hook', 'invalid_url'],
  ['https://', 'invalid_url'],
  ['https://example.com:65536/', 'invalid_url'],
  ['https://example.com:0/', 'invalid_url'],
  ['http://example.com/', 'not_https'],
  ['HTTP://example.com/', 'not_https'],
  ['ftp://example.com/', 'not_https'],
  ['file:///etc/passwd', 'not_https'],
  ['gopher://127.0.0.1:6379/_', 'not_https'],
  ['data:text/plain,hello', 'not_https'],
  ['https://user@example.com/', 'has_credentials'],
  ['https://user:secret@example.com/', 'has_credentials'],
  ['https://:secret@example.com/', 'has_credentials'],
  ['https://example.com@127.0.0.1/', 'has_credentials'],
  [`https://example.com/${'a'.repeat(2029)}`, 'too_long'],
  [`https://example.com/${'ä'.repeat(400)}`, 'too_long'],
])('%s is refused: %s', async (url, reason) => {
  expect(await checkDestination(url, { policy, resolver })).toMatchObject({ ok: false, reason });
});

test.each([
  'https://example.com/hook',
  'https://example.com:1/hook',
  'https://example.com:65535/hook?a=b',
  'HTTPS://EXAMPLE.com/hook',
  `https://example.com/${'a'.repeat(2028)}`,
])('%s is accepted', async (url) => {
  expect(await checkDestination(url, { policy, resolver })).toEqual({ ok: true, url: new URL(url) });
});

test('a host hidden behind a backslash or a tab is checked as the host that it is', async () => {
  for (const url of [
    'https://127.0.0.1\\@example.com/',
    'https:\\\\127.0.0.1/',
    'https://127.0\t.0.1/',
    'https:127.0.0.1',
  ]) {
    expect(await checkDestination(url, { policy, resolver })).toMatchObject({
      ok: false,
      reason: 'blocked_address',
    });
  }
});

test('a name that resolves to something that is no address is refused', async () => {
  const resolver = createTableResolver({ 'inside.example': [['intranet']] });
  const verdict = await checkDestination('https://inside.example/', { policy, resolver });
  expect(verdict).toMatchObject({ ok: false, reason: 'blocked_address' });
  expect(JSON.stringify(verdict)).not.toContain('intranet');
});

test('a name without an address, or whose lookup fails, is unresolvable', async () => {
  const verdict = await checkDestination('https://nowhere.example/', { policy, resolver });
  expect(verdict).toMatchObject({ ok: false, reason: 'unresolvable' });
  for (const error of [new ResolveError('dns_timeout', 'slow.example'), new Error('from elsewhere')]) {
    const failing = { resolve: () => Promise.reject(error) };
    const verdict = await checkDestination('https://slow.example/', { policy, resolver: failing });
    expect(verdict).toMatchObject({ ok: false, reason: 'unresolvable' });
  }
});

test('a caller who gives up does not wait for DNS', async () => {
  const silent = { resolve: () => new Promise<string[]>(() => {}) };
  const caller = new AbortController();
  const verdict = checkDestination('https://example.com/', {
    policy,
    resolver: silent,
    signal: caller.signal,
  });
  caller.abort(new Error('gave up'));
  await expect(verdict).rejects.toThrow('gave up');
});
