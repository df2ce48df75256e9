// Short lists whose pages are all needed at once, such as the interactions of a webinar.

interface Page<Item> {
  data: Item[];
  pagination: { nextCursor: string | null };
}

const pageSize = 100;

/** All items of a list, page after page. Only for lists that the service limits. */
export async function loadAll<Item>(
  fetchPage: (page: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const { data, pagination } = await fetchPage({ limit: pageSize, ...(cursor && { cursor }) });
    items.push(...data);
    cursor = pagination.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}
