import { expect, test } from 'vitest';
import { createSorting, type SortOrder } from './sorting.ts';

interface Search {
  sort?: 'title' | 'createdAt' | undefined;
  order?: SortOrder | undefined;
}

const first = { title: 'asc', createdAt: 'desc' } as const;

/** The search parameters after presses on the heads of columns. */
function press(names: readonly ('title' | 'createdAt')[], usual?: 'createdAt'): Search[] {
  let search: Search = {};
  return names.map((name) => {
    const show = (change: Search) => (search = change);
    createSorting({ search, first, ...(usual && { usual }), show })(name, '').onSort();
    return search;
  });
}

test('a press on a column sorts by it in its own direction, and the next press reverses it', () => {
  expect(press(['title', 'title', 'title', 'createdAt', 'createdAt'], 'createdAt')).toEqual([
    { sort: 'title', order: undefined },
    { sort: 'title', order: 'desc' },
    { sort: 'title', order: undefined },
    { sort: undefined, order: undefined },
    { sort: undefined, order: 'asc' },
  ]);
});

test('in a list that is sorted by no column at first, the third press brings that order back', () => {
  expect(press(['title', 'title', 'title']).at(-1)).toEqual({ sort: undefined, order: undefined });
});

test('only the column that sorts the list has an order', () => {
  const column = createSorting({ search: {}, first, usual: 'createdAt', show: () => undefined });
  expect(column('createdAt', 'Created').order).toBe('desc');
  expect(column('title', 'Title').order).toBeUndefined();
});
