import { expect, test } from 'vitest';
import { withoutJoinLinks } from './output-fields.ts';

const token = 'AZqhwn0-fEGaVy8MXZuO_A'.repeat(3);

test.each([
  ['{"url":"https://example.com/room/TOKEN"}', '{"url":"https://example.com/room/[hidden]"}'],
  ['"https:\\/\\/example.com\\/r\\/TOKEN"', '"https:\\/\\/example.com\\/r\\/[hidden]"'],
  ['url=https%3A%2F%2Fexample.com%2froom%2fTOKEN&x=1', 'url=https%3A%2F%2Fexample.com%2froom%2f[hidden]&x=1'],
  ['Not found: /room/12 and /hooks/TOKEN', `Not found: /room/12 and /hooks/${token}`],
])('an answer of a receiver is shown without join links: %s', (answer, shown) => {
  expect(withoutJoinLinks.parse(answer.replace('TOKEN', token))).toBe(shown);
});
