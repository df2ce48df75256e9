import { expect, test } from 'vitest';
import type { Catalogue } from '../../../trpc.ts';
import { moveIntegration } from './rule-values.ts';

const field = (key: string, label: string): Catalogue['fields'][number] => ({
  key,
  label,
  type: 'text',
  takes: [],
});

const former: Catalogue = {
  fields: [field('1', 'Company'), field('2', 'City')],
  tags: [{ name: 'lead' }],
  lists: [
    { id: '5', name: 'Newsletter' },
    { id: '6', name: 'Customers' },
  ],
  readAt: '',
};

/** With the ids of the former account for other things. */
const other: Catalogue = {
  fields: [field('1', 'Birthday'), field('8', 'company')],
  tags: [],
  lists: [
    { id: '5', name: 'Suppliers' },
    { id: '9', name: 'Newsletter' },
  ],
  readAt: '',
};

const parts = {
  fields: [
    { key: '1', from: 'first_name', policy: 'always' },
    { key: '2', value: 'Berlin', policy: 'if_empty' },
  ],
  tags: { add: ['lead'], remove: [] },
  lists: { add: ['5'], remove: ['6'] },
  event: { name: 'attended' },
} satisfies Parameters<typeof moveIntegration>[0];

const words = { field: 'Field', tag: 'Tag', list: 'List' };
const tool = { words, takesEvents: true, takesNewFields: false };

test('fields and lists of the same name are kept with the keys of the other account, and the others are named', () => {
  expect(moveIntegration(parts, former, { tool, catalogue: other })).toEqual({
    parts: {
      ...parts,
      fields: [{ key: '8', from: 'first_name', policy: 'always' }],
      lists: { add: ['9'], remove: [] },
    },
    leftOut: ['field “City”', 'list “Customers”'],
  });
});

test('a tool without tags and events leaves them out, and one that makes fields by itself gets all of them', () => {
  const less = { words: { ...words, tag: null }, takesEvents: false, takesNewFields: true };
  const { parts: kept, leftOut } = moveIntegration(parts, former, { tool: less, catalogue: other });
  expect(kept.fields.map(({ key }) => key)).toEqual(['8', 'City']);
  expect(kept).toMatchObject({ tags: { add: [], remove: [] }, event: null });
  expect(leftOut).toEqual(['tag “lead”', 'list “Customers”', 'event “attended”']);
});

test.each([
  ['former', undefined, other, ['field “1”', 'field “2”', 'list “5”', 'list “6”']],
  ['new', former, undefined, ['field “Company”', 'field “City”', 'list “Newsletter”', 'list “Customers”']],
])(
  'without the catalogue of the %s connection fields and lists are left out by name, even if the same ids exist',
  (_which, from, catalogue, leftOut) => {
    expect(moveIntegration(parts, from, { tool, catalogue })).toEqual({
      parts: { ...parts, fields: [], lists: { add: [], remove: [] } },
      leftOut,
    });
  },
);
