// Keyset pages from the API as one growing list.
import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';

interface Page<Item> {
  data: Item[];
  pagination: { nextCursor: string | null; hasMore: boolean };
}

interface PagedOptions<Item> {
  queryKey: QueryKey;
  fetchPage: (page: { limit: number; cursor?: string }, signal: AbortSignal) => Promise<Page<Item>>;
  /** The interval in which all pages are read again. It may depend on the items. */
  refetchMs?: number | ((items: readonly Item[]) => number);
}

const pageSize = 25;

/** tRPC's own infinite helper adds a `direction` field to the input, which the API refuses; hence this one. */
export function usePaged<Item>({ queryKey, fetchPage, refetchMs }: PagedOptions<Item>) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      fetchPage(
        pageParam === undefined ? { limit: pageSize } : { limit: pageSize, cursor: pageParam },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.pagination.nextCursor ?? undefined,
    refetchInterval:
      typeof refetchMs === 'function' ? ({ state }) => refetchMs(itemsOf(state.data) ?? []) : refetchMs,
  });
  return { ...query, items: itemsOf(query.data) };
}

const itemsOf = <Item>(data: { pages: readonly Page<Item>[] } | undefined): Item[] | undefined =>
  data?.pages.flatMap((page) => page.data);
