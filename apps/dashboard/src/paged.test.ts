import { expect, test } from 'vitest';
import { linkedPages, mergePage, rowsOf, type Page } from './paged.ts';

interface Row {
  id: string;
  state?: string;
}

const page = (ids: string, nextCursor: string | null): Page<Row> => ({
  data: ids.split('').map((id) => ({ id })),
  pagination: { nextCursor, hasMore: nextCursor !== null },
});

const idsOf = (pages: readonly Page<Row>[]) =>
  rowsOf(pages)
    .map(({ id }) => id)
    .join('');

test('new rows at the top leave no gap before the next page', () => {
  const merged = mergePage(page('edc', 'after c'), page('gfed', 'after d'));
  expect(merged).toEqual(page('gfedc', 'after c'));
  expect(idsOf(linkedPages([merged, page('ba', null)], [undefined, 'after c']))).toBe('gfedcba');
});

test('a page that was read with a larger limit ends where it ended before', () => {
  expect(mergePage(page('edc', 'after c'), page('fedcba', null))).toEqual(page('fedc', 'after c'));
});

test('a changed row is the fresh one, and a deleted row is gone', () => {
  const fresh = { ...page('ec', 'after c'), data: [{ id: 'e', state: 'changed' }, { id: 'c' }] };
  expect(mergePage(page('edc', 'after c'), fresh).data).toEqual(fresh.data);
});

test('a deleted last row is gone, and the rows of the next page are shown once', () => {
  const merged = mergePage(page('edc', 'after c'), page('edba', null));
  expect(idsOf(linkedPages([merged, page('ba', null)], [undefined, 'after c']))).toBe('edba');
});

test('more new rows than a page has begin the list again, instead of showing a list with a gap', () => {
  const merged = mergePage(page('cb', 'after b'), page('zy', 'after y'));
  expect(idsOf(linkedPages([merged, page('a', null)], [undefined, 'after b']))).toBe('zy');
});

test('pages end at the first one that is not loaded', () => {
  expect(idsOf(linkedPages([page('d', 'd'), undefined, page('b', null)], [undefined, 'd', 'c']))).toBe('d');
});
