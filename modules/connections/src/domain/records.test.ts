import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { isPublicName, organizationalDomain, type DnsAnswer } from './dns.ts';
import { readDkim, readDmarc } from './dkim-and-dmarc.ts';
import { judgeSpf, withInclude } from './spf.ts';

type Texts = Record<string, string[] | 'silence'>;

const chain = (length: number): Texts =>
  Object.fromEntries(
    Array.from({ length }, (_unused, index) => [
      `${index}.example.com`,
      [index + 1 < length ? `v=spf1 include:${index + 1}.example.com ~all` : 'v=spf1 -all'],
    ]),
  );

// Real records of companies, and the cases that RFC 7208 names.
test.each<[name: string, texts: Texts, expected: object]>([
  ['no record', { 'example.com': ['google-site-verification=x'] }, { kind: 'none' }],
  ['another version', { 'example.com': ['v=spf10 -all', 'v=spf1x'] }, { kind: 'none' }],
  [
    'Google and Amazon',
    {
      'example.com': ['v=spf1 include:_spf.google.com include:amazonses.com ip4:192.0.2.0/24 ~all'],
      '_spf.google.com': ['v=spf1 include:_netblocks.google.com include:_netblocks2.google.com ~all'],
      '_netblocks.google.com': ['v=spf1 ip4:35.190.247.0/24 ip4:64.233.160.0/19 ~all'],
      '_netblocks2.google.com': ['v=spf1 ip6:2001:4860:4000::/36 ip6:2404:6800:4000::/36 ~all'],
      'amazonses.com': ['v=spf1 ip4:199.255.192.0/22 -all'],
    },
    { kind: 'valid', lookups: 4, all: '~' },
  ],
  [
    'upper case, prefix lengths, macros and an unknown modifier',
    {
      'example.com': [
        'V=SPF1 +A/24//64 MX:Mail.Example.com/24 exists:%{i}._spf.example.com ptr unknown=x -ALL',
      ],
    },
    { kind: 'valid', lookups: 4, all: '-' },
  ],
  [
    'a redirect',
    {
      'example.com': ['v=spf1 redirect=_spf.example.com'],
      '_spf.example.com': ['v=spf1 ip4:192.0.2.1 -all'],
    },
    { kind: 'valid', lookups: 1, all: undefined },
  ],
  [
    'a redirect beside all',
    { 'example.com': ['v=spf1 redirect=none.example.com ?all'] },
    { kind: 'valid', lookups: 0 },
  ],
  [
    'terms after all',
    { 'example.com': ['v=spf1 -all include:none.example.com'] },
    { kind: 'valid', lookups: 0 },
  ],
  [
    'two records',
    { 'example.com': ['v=spf1 -all', 'v=spf1 ~all'] },
    { kind: 'permerror', problem: /2 SPF records/ },
  ],
  [
    'ten look-ups',
    { ...chain(11), 'example.com': ['v=spf1 redirect=1.example.com'] },
    { kind: 'valid', lookups: 10 },
  ],
  [
    'eleven look-ups',
    { ...chain(12), 'example.com': ['v=spf1 include:1.example.com -all'] },
    { kind: 'permerror', problem: /more than 10/ },
  ],
  [
    'a circle',
    { 'example.com': ['v=spf1 include:example.com'] },
    { kind: 'permerror', problem: /more than 10/ },
  ],
  [
    'an include without a record',
    { 'example.com': ['v=spf1 include:gone.example.com'] },
    { kind: 'permerror', problem: /^gone\.example\.com has no SPF/ },
  ],
  [
    'an include without an answer',
    { 'example.com': ['v=spf1 include:slow.example.com'], 'slow.example.com': 'silence' },
    { kind: 'unanswered' },
  ],
  ...[
    'ipv4:192.0.2.1',
    'ip4:192.0.2.0/33',
    'ip4:2001:db8::1',
    'include',
    'include:',
    'all:x',
    '192.0.2.1',
    '“include:x”',
    'redirect=a redirect=b',
  ].map((term): [string, Texts, object] => [
    term,
    { 'example.com': [`v=spf1 ${term} -all`] },
    { kind: 'permerror' },
  ]),
])('SPF: %s', async (_name, texts, expected) => {
  const result = await judgeSpf('example.com', async (host): Promise<DnsAnswer> => {
    const values = texts[host];
    if (values === 'silence') return { kind: 'failed' };
    return values ? { kind: 'found', values } : { kind: 'none' };
  });
  const { problem, ...rest } = expected as { problem?: RegExp };
  expect(result).toMatchObject(rest);
  if (problem) expect(result).toMatchObject({ problem: expect.stringMatching(problem) });
});

test('an include is added before everything that a record has', () =>
  expect(withInclude('v=spf1 mx ~all', 'amazonses.com')).toBe('v=spf1 include:amazonses.com mx ~all'));

const keyOf = (modulusLength: number): string =>
  generateKeyPairSync('rsa', { modulusLength })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64');
const rsa = keyOf(1024);

test.each([
  [`v=DKIM1; k=rsa; p=${rsa}`, 'rsa 1024'],
  // Resend, Postmark and Brevo leave the version out.
  [`k=rsa;p=${rsa}`, 'rsa 1024'],
  [`v=DKIM1; t=s; n=a note; p=${rsa.slice(0, 60)} ${rsa.slice(60)}`, 'rsa 1024'],
  ['v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=', 'ed25519 256'],
  ['v=DKIM1; p=', 'revoked'],
  ['v=DKIM1; k=rsa', 'no key'],
  [`v=DKIM2; p=${rsa}`, 'version'],
  [`v=DKIM1; k=dsa; p=${rsa}`, 'key type'],
  [`v=DKIM1; p=${rsa.slice(0, 80)}`, 'cut off'],
  [`p=${keyOf(512)}`, '512 bits'],
  [`p=${rsa}; p=${rsa}`, 'list of tags'],
  ['google-site-verification: x', 'list of tags'],
])('DKIM: %s', (record, expected) => {
  const key = readDkim(record);
  const text =
    key.kind === 'key' ? `${key.type} ${key.bits}` : key.kind === 'invalid' ? key.problem : key.kind;
  expect(text).toContain(expected);
});

test.each<[string[], object]>([
  [
    ['v=DMARC1; p=reject; rua=mailto:d@example.com; pct=50'],
    { kind: 'valid', policy: 'reject', subdomainPolicy: 'reject', percent: 50 },
  ],
  [
    ['v=DMARC1;p=none;sp=quarantine;adkim=r;aspf=s;'],
    { policy: 'none', subdomainPolicy: 'quarantine', isSpfStrict: true },
  ],
  [['other', 'v=DMARC1; p=Quarantine; pct=x'], { policy: 'quarantine', isSpfStrict: false, percent: 100 }],
  [['v=DMARC1; p=monitor; rua=mailto:d@example.com'], { kind: 'valid', policy: 'none' }],
  [['v=DMARC1; p=monitor'], { kind: 'invalid' }],
  [
    ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
    { kind: 'invalid', problem: expect.stringContaining('2 DMARC records') },
  ],
  [['V=dmarc1; p=none', 'p=none; v=DMARC1', 'v=spf1 -all'], { kind: 'none' }],
  [[], { kind: 'none' }],
])('DMARC: %j', (texts, expected) => expect(readDmarc(texts)).toMatchObject(expected));

test.each([
  ['_dmarc.mail.example.co.uk', true, 'example.co.uk'],
  ['s1._domainkey.example.com', true, 'example.com'],
  ['ada.github.io', true, 'ada.github.io'],
  ['localhost', false, 'localhost'],
  ['metadata.google.internal', false, 'google.internal'],
  ['api.default.svc.cluster.local', false, 'cluster.local'],
  ['127.0.0.1', false, '127.0.0.1'],
  ['com', false, 'com'],
  ['a..example.com', false, 'example.com'],
  [`${'a.'.repeat(127)}com`, false, 'a.com'],
])('%s: DNS is asked for it is %s, and its organization is %s', (name, isPublic, organization) => {
  expect(isPublicName(name)).toBe(isPublic);
  expect(organizationalDomain(name)).toBe(organization);
});
