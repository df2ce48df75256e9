// Values that have broken a parser, a database, a clock or a log somewhere, for each format that the product takes. They are made
// of parts, so that each run meets combinations that no list has.
import fc, { type Arbitrary } from 'fast-check';

/** One value of each part, joined. */
export const join = (...parts: Arbitrary<string>[]): Arbitrary<string> =>
  fc.tuple(...parts).map((one) => one.join(''));

/** Control characters, halves of characters, and characters that grow when they are normalised. */
const breakers = fc.constantFrom(
  '\0',
  '\u0001',
  '\b',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\ud800',
  '\udfff',
  '\udc00\ud800',
  '\ufdfa',
  '\ufdfa'.repeat(1000),
  'e\u0301'.repeat(100),
  '\u0300'.repeat(500),
  '\u202e',
  '\u2066',
  '\u200d',
  '\u200b',
  '\ufeff',
  '\uffff',
  '\u{10ffff}',
  '👩‍👩‍👧‍👦'.repeat(20),
  'İı',
  'ﬃ',
  '\r\n',
  '\n\r\t\v\f',
);

const words = fc.constantFrom(
  '',
  ' ',
  'a',
  'price',
  "'; drop table x; --",
  '"><script>alert(1)</script>',
  '../../etc/passwd',
  '{{7*7}}${7*7}',
  '%00%ff%',
  '-1',
  '1e309',
  'null',
  'undefined',
  'NaN',
  'true',
  '__proto__',
  'constructor',
  'x'.repeat(101),
  'x'.repeat(10_001),
  '\\',
  '\\u0000',
  '$1',
  '%s%n',
);

export const hostileText: Arbitrary<string> = fc.oneof(
  words,
  breakers,
  join(words, breakers, words),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const schemes = fc.constantFrom(
  'https://',
  'http://',
  'HTTPS://',
  'https:',
  '//',
  'ftp://',
  'javascript:',
  'data:',
);

const hosts = fc.constantFrom(
  'example.com',
  'EXAMPLE.com.',
  'localhost',
  '127.0.0.1',
  '0x7f.1',
  '2130706433',
  '017700000001',
  '127.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[fe80::1%25eth0]',
  '169.254.169.254',
  'bücher.example',
  'xn--',
  '☃.net',
  '１２７.0.0.1',
  'user:password@example.com',
  'example.com@127.0.0.1',
  '',
  '-',
  '.',
  'a..b',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(200)}com`,
  'exa mple.com',
  'exam\0ple.com',
  'example.com\n',
);

const ports = fc.constantFrom('', '', '', ':0', ':1', ':65535', ':65536', ':-1', ':80a', ':');

const paths = fc.oneof(
  fc.constantFrom(
    '',
    '/',
    '/a?b=c#d',
    '/%00',
    '/%',
    '/..%2f',
    '/\\',
    '//',
    '/?',
    '/#',
    `/${'p'.repeat(3000)}`,
  ),
  hostileText.map((text) => `/${text}`),
);

export const hostileUrl: Arbitrary<string> = fc.oneof(
  { arbitrary: join(schemes, hosts, ports, paths), weight: 6 },
  { arbitrary: hostileText, weight: 1 },
);

const locals = fc.constantFrom(
  'ada',
  'Ada',
  'a'.repeat(65),
  '"a b"',
  '.a',
  'a..b',
  'ü',
  '💥',
  'a\0',
  'a\r\nBcc: x',
  '',
  "o'hara",
  'a+b',
  '\ufdfa',
);
const domains = fc.constantFrom(
  'example.com',
  'EXAMPLE.COM',
  'bücher.example',
  '[127.0.0.1]',
  'localhost',
  'a',
  '.com',
  'com.',
  `${'d'.repeat(250)}.com`,
  'exa mple.com',
  'x@y.com',
  '',
);

export const hostileEmail: Arbitrary<string> = fc.oneof(
  { arbitrary: join(locals, fc.constantFrom('@', '@', '@', '＠', '@@', ''), domains), weight: 5 },
  { arbitrary: fc.emailAddress(), weight: 2 },
  { arbitrary: hostileText, weight: 1 },
);

export const hostileId: Arbitrary<string> = fc.oneof(
  fc.uuid(),
  fc.constantFrom(
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'ffffffff-ffff-7fff-bfff-ffffffffffff',
    '00000000-0000-7000-8000-000000000000',
    '019aa1c97ac27b1f8e605a1f3a7a5d02',
    '{019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02}',
    'urn:uuid:019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02',
    '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d0',
    '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02\0',
    '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d0２',
  ),
  fc.uuid().map((id) => id.toUpperCase()),
  hostileText,
);

/** Written into a body as a number with so many digits; JavaScript has no value for it. */
const digitsMark = /"\{digits:(\d+)\}"/g;

export const hostileNumber: Arbitrary<unknown> = fc.oneof(
  {
    arbitrary: fc.constantFrom<unknown>(
      0,
      -0,
      -1,
      1.5,
      1e-320,
      1e308,
      -1e308,
      2 ** 31,
      2 ** 53,
      2 ** 63,
      -(2 ** 63),
    ),
    weight: 30,
  },
  { arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }), weight: 10 },
  { arbitrary: fc.constantFrom('{digits:400}', '{digits:5000}'), weight: 4 },
  { arbitrary: fc.constant('{digits:1000000}'), weight: 1 },
);

/** JSON of a value, with the numbers that JavaScript has no value for. */
export const toHostileJson = (value: unknown): string =>
  (JSON.stringify(value) ?? '').replaceAll(digitsMark, (_mark, digits: string) => '9'.repeat(Number(digits)));
