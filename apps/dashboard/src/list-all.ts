interface Page<Item> {
  data: Item[];
  pagination: { nextCursor: string | null };
}

const pageMax = 100;

/** Reads all pages of a list, or those of its first `max` items. A webinar has at most 200 interactions and 200 branches. */
export async function listAll<Item>(
  listPage: (page: { limit: number; cursor?: string }) => Promise<Page<Item>>,
  max = Infinity,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await listPage({ limit: pageMax, ...(cursor !== null && { cursor }) });
    items.push(...page.data);
    cursor = page.pagination.nextCursor;
  } while (cursor !== null && items.length < max);
  return items;
}

/** The entries in pieces of at most `size`, for calls that take a limited number of ids. */
export const chunksOf = <Entry>(entries: readonly Entry[], size: number): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_unused, index) =>
    entries.slice(index * size, (index + 1) * size),
  );
