import { defineEntity, p } from '@mikro-orm/postgresql';
import { expect, test } from 'vitest';
import { entityRow, partialRow } from './row.ts';

const Visit = defineEntity({
  name: 'Visit',
  properties: { id: p.uuid().primary(), startedAt: p.datetime(), secretLast4: p.text().nullable() },
});

const startedAt = new Date();

test('a row is read with the property names of its entity', () => {
  const { columns, toEntity } = entityRow(Visit);
  expect(Object.keys(columns)).toEqual(['id', 'started_at', 'secret_last4']);
  expect(toEntity({ id: 'a', started_at: startedAt, secret_last4: null })).toEqual({
    id: 'a',
    startedAt,
    secretLast4: null,
  });
});

test('a row without a column is refused, and a part of the columns is read without the others', () => {
  const row = { id: 'a', started_at: startedAt };
  expect(() => entityRow(Visit).toEntity(row as never)).toThrow('The row has no column secret_last4.');
  expect(partialRow(Visit, ['id', 'startedAt']).toEntity(row)).toEqual({ id: 'a', startedAt });
});
