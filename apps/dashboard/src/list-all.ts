interface Page<Item> {
  data: Item[];
  pagination: { nextCursor: string | null };
}

const pageMax = 100;

/** Reads all pages of a list. A webinar has at most 200 interactions and 200 branches. */
export async function listAll<Item>(
  listPage: (page: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await listPage({ limit: pageMax, ...(cursor !== null && { cursor }) });
    items.push(...page.data);
    cursor = page.pagination.nextCursor;
  } while (cursor !== null);
  return items;
}
