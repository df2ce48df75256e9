import { expect, test } from 'vitest';
import { fieldTypes, kindFits, toFieldForm, valueFits, type FieldType, type ValueKind } from './index.ts';

const moment = '2026-12-01T23:30:00+01:00';
const examples: Record<ValueKind, string | number | boolean> = {
  text: 'Demo',
  number: 75,
  boolean: true,
  moment,
};

test('a value of each kind is written in the form of each field that it fits', () => {
  const forms = Object.entries(examples).map(([kind, value]) => [
    kind,
    Object.fromEntries(
      fieldTypes
        .filter((type) => kindFits(kind as ValueKind, type))
        .map((type) => [type, toFieldForm(value, type)]),
    ),
  ]);
  expect(Object.fromEntries(forms)).toEqual({
    text: { text: 'Demo' },
    number: { number: 75, text: '75' },
    boolean: { boolean: true, text: 'true' },
    moment: { date: '2026-12-01', datetime: '2026-12-01T22:30:00.000Z', text: moment },
  });
});

test('a value that is the same for everybody fits by what it is: a text may be a number, a date or a choice', () => {
  const forms: [value: string | number | boolean, type: FieldType, form: unknown][] = [
    ['75', 'number', 75],
    ['many', 'number', undefined],
    ['', 'number', undefined],
    [true, 'number', undefined],
    ['false', 'boolean', false],
    ['yes', 'boolean', undefined],
    ['2026-12-01', 'date', '2026-12-01'],
    ['2026-12-01', 'datetime', '2026-12-01T00:00:00.000Z'],
    ['2026-99-01', 'date', undefined],
    ['1 December', 'date', undefined],
    [20261201, 'date', undefined],
    ['gold', 'choice', 'gold'],
    [1, 'choice', undefined],
    ['anything', 'other', undefined],
  ];
  for (const [value, type, form] of forms) {
    expect(valueFits(value, type), `${value} ${type}`).toBe(form !== undefined);
    // The tool refuses it, and says why.
    expect(toFieldForm(value, type), `${value} ${type}`).toBe(form ?? value);
  }
});
