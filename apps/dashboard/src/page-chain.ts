// Pages of a keyset list that are kept apart, and put together again. A list changes at its top while a person reads further down.

export interface Page<Item> {
  data: Item[];
  pagination: { nextCursor: string | null; hasMore: boolean };
}

interface Identified {
  id: string;
}

/**
 * A page that was read again, when the page after it is loaded too. It must end where it ended before, or rows would be missing
 * between the two: new rows at the top move the last ones out of a page of a fixed size.
 */
export function mergePage<Item extends Identified>(old: Page<Item>, fresh: Page<Item>): Page<Item> {
  const end = indexIn(fresh, old.data.at(-1));
  if (end >= 0) return { data: fresh.data.slice(0, end + 1), pagination: old.pagination };
  const lastInOld = indexIn(old, fresh.data.at(-1));
  if (lastInOld >= 0)
    return { data: [...fresh.data, ...old.data.slice(lastInOld + 1)], pagination: old.pagination };
  // The old last row was deleted, and the fresh page reaches further than the old one did. Rows that both pages have are shown once.
  if (old.data.some((item) => indexIn(fresh, item) >= 0)) return { ...fresh, pagination: old.pagination };
  // All rows are new, so there may be others between them and the old ones. The list begins again with this page.
  return fresh;
}

const indexIn = <Item extends Identified>(page: Page<Item>, item: Item | undefined): number =>
  page.data.findIndex(({ id }) => id === item?.id);

/** The pages from the first one on, as long as each begins where the one before it ended. */
export function linkedPages<Item>(
  pages: readonly (Page<Item> | undefined)[],
  cursors: readonly (string | undefined)[],
): Page<Item>[] {
  const linked: Page<Item>[] = [];
  for (const [index, page] of pages.entries()) {
    const before = linked.at(-1);
    if (!page || (before && before.pagination.nextCursor !== cursors[index])) break;
    linked.push(page);
  }
  return linked;
}

/** The rows of all pages, each once. */
export function rowsOf<Item extends Identified>(pages: readonly Page<Item>[]): Item[] {
  const rowById = new Map<string, Item>();
  for (const row of pages.flatMap(({ data }) => data)) if (!rowById.has(row.id)) rowById.set(row.id, row);
  return [...rowById.values()];
}
