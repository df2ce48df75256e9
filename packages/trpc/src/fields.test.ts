import { expect, test } from 'vitest';
import { z } from 'zod';
import { dayOrMoment, instantOf, moment, recordToOutput, text } from './fields.ts';

test.for([
  ['Java, without seconds', '2026-12-01T09:00Z', '2026-12-01T09:00:00Z'],
  ['Java, without seconds and with an offset', '2026-12-01T09:00+01:00', '2026-12-01T09:00:00+01:00'],
  ['PHP and date +%FT%T%z', '2026-12-01T09:00:00-0800', '2026-12-01T09:00:00-08:00'],
  ['hours of an offset only', '2026-12-01T09:00:00.123456+05', '2026-12-01T09:00:00.123456+05:00'],
  ['lower case', '2026-12-01t09:00:00z', '2026-12-01T09:00:00Z'],
  ['a plus that was not encoded in a URL', '2026-12-01T09:00:00 0530', '2026-12-01T09:00:00+05:30'],
])('a time as %s prints it is read', ([, given, expected]) => {
  expect(moment.parse(given)).toBe(expected);
  expect(dayOrMoment.parse(given)).toBe(expected);
});

test.for([
  '2026-12-01T09:00:00',
  '2026-12-01 09:00:00Z',
  '2026-12-01T09Z',
  '2026-02-30T09:00Z',
  '2026-12-01T24:00Z',
  '2026-12-01T09:00+2400',
  '1969-12-31T23:59Z',
  '20261201T090000Z',
  '',
])('%j is refused, because it has no offset, no such day or another form', (text) => {
  expect(moment.safeParse(text).success).toBe(false);
  expect(dayOrMoment.safeParse(text).success).toBe(false);
});

test.for(['', ' \n', '\u200b\u200b', '\u2060 \u00ad', '\u3164', '\u2800', '\u{e0001}'])(
  '%j has no visible character and is refused as blank, once',
  (blank) => {
    const messages = text(100)
      .safeParse(blank)
      .error?.issues.map(({ message }) => message);
    expect(messages).toEqual(['Must not be blank.']);
  },
);

test.for(['\u200bAda', '👩‍💻', '.', '\u0301'])('%j has a visible character and is accepted', (given) => {
  expect(text(100).parse(given)).toBe(given);
});

test('the text of a time is that of toISOString', () => {
  const days = [-1, 0, 59, 20_784].map((day) => day * 86_400_000);
  const times = [0, 1, 59_999, 60_000, 3_599_999, 3_600_000, 86_399_999].flatMap((ms) =>
    days.map((day) => day + ms),
  );
  for (const ms of [...times, -62_167_219_200_000, 253_402_300_800_000])
    expect(instantOf(new Date(ms))).toBe(new Date(ms).toISOString());
  expect(() => instantOf(new Date(Number.NaN))).toThrow(RangeError);
});

test('an output has the fields of its schema: those that are given, else those of the record, and null for a missing one', () => {
  const schema = z.object({
    id: z.string(),
    at: z.string(),
    'of-a-kind': z.string().nullable(),
    count: z.number(),
  });
  const record = { id: 'a', at: new Date(0), count: 1, secret: 'b', 'of-a-kind': undefined };
  expect(recordToOutput(schema, record, { count: 2 })).toEqual({
    id: 'a',
    at: '1970-01-01T00:00:00.000Z',
    'of-a-kind': null,
    count: 2,
  });
});
