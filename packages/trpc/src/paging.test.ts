import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { cursorId, toPage } from './paging.ts';

const rows = [{ id: createId() }, { id: createId() }, { id: createId() }];
const options = { limit: 2, filters: { status: 'draft' }, toItem: (row: { id: string }) => row.id };

test('a page ends at its limit and its cursor names the last row shown', () => {
  const page = toPage(rows, options);
  expect(page.data).toEqual([rows[0]!.id, rows[1]!.id]);
  expect(page.pagination.hasMore).toBe(true);
  expect(cursorId(page.pagination.nextCursor!, options.filters)).toBe(rows[1]!.id);
});

test('the last page has no cursor', () => {
  expect(toPage(rows.slice(0, 2), options).pagination).toEqual({ nextCursor: null, hasMore: false });
});

test('a search that stopped early goes on where it stopped, however few rows it found', () => {
  const stoppedAt = createId();
  const { data, pagination } = toPage(rows.slice(0, 1), { ...options, stoppedAt });
  expect(data).toEqual([rows[0]!.id]);
  expect(pagination.hasMore).toBe(true);
  expect(cursorId(pagination.nextCursor!, options.filters)).toBe(stoppedAt);
  const full = toPage(rows, { ...options, stoppedAt }).pagination;
  expect(cursorId(full.nextCursor!, options.filters)).toBe(rows[1]!.id);
});

test('a cursor used with other filters, or a garbled one, is refused', () => {
  const { nextCursor } = toPage(rows, options).pagination;
  for (const [cursor, filters] of [
    [nextCursor!, { status: 'published' }],
    ['garbage', options.filters],
    ['', options.filters],
    [Buffer.from("1|'; drop table x|abc").toString('base64url'), options.filters],
  ] as const) {
    expect(() => cursorId(cursor, filters)).toThrow(/not well-formed/);
  }
});
