import { AppError } from '@service/errors';
import { expect, test } from 'vitest';
import { parseStrictJson } from './strict-json.ts';

const parse = (text: string | Buffer) => parseStrictJson(Buffer.from(text), ['amount']);

/** The paths of the problems, or the code of a refusal. */
function refusalOf(text: string | Buffer): string {
  try {
    const paths = parse(text).issues.map(({ path }) => path);
    return paths.length === 0 ? 'accepted' : paths.join(' ');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

test('an object is read as JSON.parse reads it', () => {
  const text = ' { "amount" : -49, "a\\"}": [1, 2.5, {"x": "}{\\\\"}, null, true], "b": {"amount": 0.5} } ';
  expect(parse(text)).toEqual({ object: JSON.parse(text), issues: [] });
});

test('a name that occurs twice is a problem in each object, also when it is escaped', () => {
  expect(refusalOf('{"a":1,"a":1}')).toBe('a');
  expect(refusalOf('{"a":1,"\\u0061":1}')).toBe('a');
  expect(refusalOf('{"list":[{"b":1},{"b":1,"c":{"d":1,"d":2}}]}')).toBe('list.1.c.d');
  expect(refusalOf('{"a":{"b":1},"c":{"b":1},"d":"a","e":["a","a"]}')).toBe('accepted');
});

test('an integer is refused when it is written as anything else, and only where an integer is expected', () => {
  for (const number of [
    '1.0',
    '1e2',
    '1E2',
    '-0',
    '-0.0',
    '0.1',
    '9007199254740992',
    '-9007199254740992',
    '1e400',
  ])
    expect(refusalOf(`{"amount":${number}}`), number).toBe('amount');
  for (const number of ['0', '-1', '9007199254740991', '-9007199254740991', '"1.5"'])
    expect(refusalOf(`{"amount":${number}}`), number).toBe('accepted');
  expect(refusalOf('{"other":1.5,"deep":{"amount":1.5}}')).toBe('accepted');
});

test('bytes that are not UTF-8, a byte order mark, other values than objects and deep nesting are refused', () => {
  expect(refusalOf(Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]))).toBe('malformed_json');
  expect(refusalOf('\ufeff{}')).toBe('malformed_json');
  expect(refusalOf('{"a":1,}')).toBe('malformed_json');
  expect(refusalOf('')).toBe('malformed_json');
  expect(refusalOf('[{}]')).toBe('malformed_request');
  expect(refusalOf(`{"a":${'['.repeat(19)}${']'.repeat(19)}}`)).toBe('accepted');
  expect(refusalOf(`{"a":${'['.repeat(20)}${']'.repeat(20)}}`)).toBe('malformed_request');
  expect(refusalOf(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toBe('malformed_request');
});

test('more than 10,000 members are refused', () => {
  const listOf = (members: number, member: string): string =>
    `{"a":[${Array(members - 1)
      .fill(member)
      .join(',')}]}`;
  expect(refusalOf(listOf(10_000, '0'))).toBe('accepted');
  expect(refusalOf(listOf(10_001, '0'))).toBe('malformed_request');
  expect(refusalOf(listOf(5001, '{"b":0}'))).toBe('malformed_request');
});

test('brackets, commas, quotes and numbers in a text are no signs, also after backslashes', () => {
  for (const text of ['}],{[:', ',"amount":1.5,', '\\', '\\\\"', '\\"}', '"\\', '-1.5e3', ''])
    expect(refusalOf(JSON.stringify({ [text]: text, list: [text, text], amount: 1 })), text).toBe('accepted');
  expect(refusalOf('{"a":"\\\\","a":1}')).toBe('a');
  expect(refusalOf('{"a\\\\":1,"amount":1.5}')).toBe('amount');
  expect(refusalOf('{"amount":\n-1.5\t}')).toBe('amount');
});
