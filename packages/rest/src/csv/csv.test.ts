import { expect, test } from 'vitest';
import { numberCell, textCell, textOfCell, toLine } from './csv.ts';

test('text that a spreadsheet would read as a formula begins with an apostrophe, and other text does not', () => {
  for (const start of ['=', '+', '-', '@', '\t']) {
    expect(textCell(`${start}cmd()`), start).toBe(`'${start}cmd()`);
    expect(textOfCell(`'${start}cmd()`), start).toBe(`${start}cmd()`);
  }
  expect(textCell('\rcmd()')).toBe(`"'\rcmd()"`);
  expect(textCell("it's 1=1")).toBe("it's 1=1");
  expect(textOfCell("'\rcmd()")).toBe('\rcmd()');
  expect(textOfCell("'t Hooft")).toBe("'t Hooft");
  expect(textCell('')).toBe('');
});

test('a cell with a comma, a quote or a line break is in quotes, and its quotes are doubled', () => {
  expect(textCell('a,b')).toBe('"a,b"');
  expect(textCell('say "hi"')).toBe('"say ""hi"""');
  expect(textCell('one\ntwo')).toBe('"one\ntwo"');
  expect(textCell('=a,"b"')).toBe(`"'=a,""b"""`);
});

test('a negative number stays a number', () => {
  expect(toLine([numberCell(-1250), numberCell('-12.50'), numberCell(null), textCell('-x')])).toBe(
    "-1250,-12.50,,'-x\r\n",
  );
});
