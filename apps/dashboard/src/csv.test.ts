import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('a text of a CSV file is never a formula, and quotes, commas and line breaks stay in their field', () => {
  const rows = [
    ['Source', 'Registered'],
    ['=HYPERLINK("x")', 2],
    ['a, "b"\nc', -1],
    [null, 0],
  ];
  expect(toCsv(rows)).toBe(
    '\uFEFFSource,Registered\r\n"\'=HYPERLINK(""x"")",2\r\n"a, ""b""\nc",-1\r\n,0\r\n',
  );
});
