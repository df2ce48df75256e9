import { expect, test } from 'vitest';
import { composeNotices, type OwnedNotice } from './notice-mail.ts';

const notice: OwnedNotice = {
  kind: 'paused',
  reason: null,
  at: new Date('2026-11-20T21:14:09.123Z'),
  url: 'https://hooks.example.com/a?b=c',
  owner: { kind: 'rule', webinarId: 'w1', ruleId: 'r1', name: 'Mine' },
};
const compose = (...notices: Partial<OwnedNotice>[]) =>
  composeNotices(
    notices.map((other) => ({ ...notice, ...other })),
    { workspaceUrl: 'https://webinars.example.com/w/a1' },
  );

test('the last failure is told in words, a status by its number, and what is not known not at all', () => {
  expect(compose({ reason: 'tls' }).text).toContain('its certificate or its TLS was not accepted');
  expect(compose({ reason: '503' }).text).toContain('answered with HTTP status 503.');
  expect(compose({ reason: 'http_status 410' }).text).toContain('answered with HTTP status 410.');
  expect(compose({ reason: 'constructor' }).text).toContain('The page below shows what its last try said.');
});

test('a URL is told by its host alone, without user, password, path and query', () => {
  const { subject, text } = compose({ url: 'https://user:pass@hooks.example.com:8443/T0/secret?key=1' });
  expect(subject).toBe('Webhooks to hooks.example.com:8443 are paused');
  expect(text).not.toMatch(/pass@|T0|secret|key=1/);
  expect(compose({ url: 'not a url' }).text).toContain('an address that is no URL');
});

test('a mail of good news alone says nothing of what to do', () => {
  const { subject, text } = compose({ kind: 'recovered' }, { kind: 'recovered' });
  expect(subject).toBe('Your webhooks: 2 sent again');
  expect(text).not.toMatch(/Nothing is lost|What you can do/);
});

test('a name cannot add lines of its own', () => {
  const owner = {
    ...notice.owner,
    name: 'x"\r\n\r\nClick https://evil.example\u2028now',
  } as OwnedNotice['owner'];
  expect(compose({ owner }).text).toContain('the rule "x" Click https://evil.example now"');
});
