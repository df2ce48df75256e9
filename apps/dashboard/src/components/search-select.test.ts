import { expect, test } from 'vitest';
import { choiceNamed, createFilter } from './search-select.tsx';

const toChoice = (label: string) => ({ value: label, label });
const zones = ['America/New_York', 'Asia/Tokyo', 'Europe/Paris'].map(toChoice);

test('a typed text names the choice with this label, or else the only one that contains it', () => {
  expect(choiceNamed('new york', zones)).toBe(zones[0]);
  expect(choiceNamed('asia/tokyo', zones)).toBe(zones[1]);
  expect(choiceNamed('a', zones)).toBeUndefined();
  expect(choiceNamed(' ', zones.slice(0, 1))).toBeUndefined();
  const fields = ['First name', 'Name'].map(toChoice);
  expect(choiceNamed('name', fields)).toBe(fields[1]);
  expect(choiceNamed('tokyo', [{ ...zones[1]!, disabled: true }])).toBeUndefined();
});

test('a list has the exact match first, and says when it has more matches', () => {
  const filter = createFilter();
  const find = (search: string, options: Parameters<typeof filter>[0]['options'], limit = Infinity) =>
    filter({ options, search, limit });
  const names = ['First name', 'Name', 'Phone'].map(toChoice);
  expect(find('name', names)).toEqual([names[1], names[0]]);
  const groups = [
    { group: 'Attendee', items: [names[0]!, names[2]!] },
    { group: 'Form', items: [names[1]!] },
  ];
  expect(find('name', groups)).toEqual([
    { group: 'Form', items: [names[1]] },
    { group: 'Attendee', items: [names[0]] },
  ]);
  const more = { value: 'more', label: 'Type to find more', disabled: true };
  expect(find('', zones, 2)).toEqual([zones[0], zones[1], more]);
  expect(find('', zones, 3)).toEqual(zones);
});
