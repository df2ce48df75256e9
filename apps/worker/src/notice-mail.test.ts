import { allDeliveryFailures, deliveryFailures } from '@service/catalogue';
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

test('the mail names the last failure in words, a status by its number, and leaves out an unknown failure', () => {
  expect(compose({ reason: 'tls' }).text).toContain('its certificate or its TLS was not accepted');
  expect(compose({ reason: '503' }).text).toContain('answered with HTTP status 503.');
  expect(compose({ reason: 'http_status 410' }).text).toContain('answered with HTTP status 410.');
  expect(compose({ reason: 'constructor' }).text).toContain(
    'The page below shows the result of the last try.',
  );
});

test('every failure kind has a sentence of its own in the mail', () => {
  const texts = allDeliveryFailures.map((reason) => compose({ reason }).text);
  for (const [index, kind] of allDeliveryFailures.entries())
    expect(texts[index]).toContain(deliveryFailures[kind].lastTry);
  expect(new Set(texts).size).toBe(texts.length);
});

test('the mail contains only the host of a URL, without user, password, path and query', () => {
  const { subject, text } = compose({ url: 'https://user:pass@hooks.example.com:8443/T0/secret?key=1' });
  expect(subject).toBe('Webhooks to hooks.example.com:8443 are paused');
  expect(text).not.toMatch(/pass@|T0|secret|key=1/);
  expect(compose({ url: 'not a url' }).text).toContain('an address that is not a URL');
});

test('a mail about recovered endpoints only does not ask for anything', () => {
  const { subject, text } = compose({ kind: 'recovered' }, { kind: 'recovered' });
  expect(subject).toBe('Your webhooks: 2 sent again');
  expect(text).not.toMatch(/Nothing is lost|What you can do/);
});

test('a subscription is named by its description, or only by its host, and each notice links to its page', () => {
  const subscription = { kind: 'subscription', webinarId: 'w1', subscriptionId: 's1' } as const;
  const { text } = compose(
    { owner: { ...subscription, description: 'CRM sync' } },
    { owner: { ...subscription, description: null } },
    {},
  );
  expect(text).toContain('the subscription "CRM sync" to hooks.example.com have been paused');
  expect(text).toContain('Webhooks of the subscription to hooks.example.com have been paused');
  expect(text).toContain('https://webinars.example.com/w/a1/webinars/w1/webhook/s1\n');
  expect(text).toContain('https://webinars.example.com/w/a1/webinars/w1/rule/r1\n');
});

test('a name cannot add lines to the mail', () => {
  const owner = {
    ...notice.owner,
    name: 'x"\r\n\r\nClick https://evil.example\u2028now',
  } as OwnedNotice['owner'];
  expect(compose({ owner }).text).toContain('the rule "x" Click https://evil.example now"');
});
