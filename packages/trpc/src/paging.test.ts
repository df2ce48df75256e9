import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { cursorId, cursorPlace, toPage } from './paging.ts';

const rows = [{ id: createId() }, { id: createId() }, { id: createId() }];
const scope = { list: 'webinars', accountId: createId(), filters: { status: 'draft' } };
const options = { limit: 2, scope, toItem: (row: { id: string }) => row.id };

test('a page ends at its limit, and its cursor contains the id of its last row', () => {
  const page = toPage(rows, options);
  expect(page.data).toEqual([rows[0]!.id, rows[1]!.id]);
  expect(page.pagination.hasMore).toBe(true);
  expect(cursorId(page.pagination.nextCursor!, scope)).toBe(rows[1]!.id);
});

test('the last page has no cursor', () => {
  expect(toPage(rows.slice(0, 2), options).pagination).toEqual({ nextCursor: null, hasMore: false });
});

test('a page of large rows ends before its limit, and the next page begins with the row that did not fit', () => {
  const pageOf = (size: number) =>
    toPage(rows, { ...options, toItem: ({ id }) => ({ id, text: 'x'.repeat(size) }) });
  expect(pageOf(100_000).data.map(({ id }) => id)).toEqual([rows[0]!.id]);
  expect(cursorId(pageOf(100_000).pagination.nextCursor!, scope)).toBe(rows[0]!.id);
  // A first row that is larger than a page is still shown.
  expect(pageOf(1_000_000).data).toHaveLength(1);
  expect(pageOf(10_000).data).toHaveLength(2);
});

test('a page has a next one when rows were found that were not fetched', () => {
  const { pagination } = toPage(rows.slice(0, 1), { ...options, found: 2 });
  expect(cursorId(pagination.nextCursor!, scope)).toBe(rows[0]!.id);
});

test('after a search that stopped early the next page continues where it stopped', () => {
  const stoppedAt = createId();
  const { data, pagination } = toPage(rows.slice(0, 1), { ...options, stoppedAt });
  expect(data).toEqual([rows[0]!.id]);
  expect(pagination.hasMore).toBe(true);
  expect(cursorId(pagination.nextCursor!, scope)).toBe(stoppedAt);
  const full = toPage(rows, { ...options, stoppedAt }).pagination;
  expect(cursorId(full.nextCursor!, scope)).toBe(rows[1]!.id);
});

test('the cursor of a list by time contains the time of its last row', () => {
  const timed = rows.map(({ id }, index) => ({ id, time: new Date(1000 * index) }));
  const timeOf = ({ time }: { time: Date }) => time;
  const { nextCursor } = toPage(timed, { ...options, timeOf, toItem: timeOf }).pagination;
  expect(cursorPlace(nextCursor!, scope)).toEqual({ id: rows[1]!.id, time: new Date(1000) });
  const changed = Buffer.from(nextCursor!, 'base64url').toString('latin1').replace('|1000', '|never');
  expect(() => cursorPlace(Buffer.from(changed, 'latin1').toString('base64url'), scope)).toThrow();
  expect(cursorPlace(toPage(rows, options).pagination.nextCursor!, scope)?.time).toBeUndefined();
});

test('a cursor of other filters, another list or another account is refused, and so is an invalid one', () => {
  const { nextCursor } = toPage(rows, options).pagination;
  for (const [cursor, asked] of [
    [nextCursor!, { ...scope, filters: { status: 'published' } }],
    [nextCursor!, { ...scope, list: 'sessions' }],
    [nextCursor!, { ...scope, accountId: createId() }],
    ['garbage', scope],
    ['', scope],
    [Buffer.from("2|'; drop table x|abc").toString('base64url'), scope],
  ] as const) {
    expect(() => cursorId(cursor, asked)).toThrow(/not well-formed/);
  }
});
