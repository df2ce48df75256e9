// Keyset pages from the API as one growing list.
//
// Each page is a query of its own, so loading one more reads no other page again. When the list is invalidated, the first page and
// the pages on the screen are read again, in one batch of at most four calls. Pages further up or down are read when they come
// into view. An infinite query would read every loaded page, one after the other, at each change.
import {
  hashKey,
  useQueries,
  useQueryClient,
  type QueryClient,
  type QueryKey,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback, useState } from 'react';

interface PagedOptions<Item> {
  queryKey: QueryKey;
  fetchPage: (page: { limit: number; cursor?: string }, signal: AbortSignal) => Promise<Page<Item>>;
}

const pageSize = 50;
/** A page with another one after it grows when rows are added at its top. This is the largest page of the API. */
const followedSize = 100;
/** Pages besides the first one that are kept fresh when the table does not report its visible rows. */
const freshMax = 3;

interface Loaded {
  keyHash: string;
  cursors: readonly (string | undefined)[];
  /** The first and the last page on the screen. */
  visible?: readonly [number, number];
}

export function usePaged<Item extends { id: string }>({ queryKey, fetchPage }: PagedOptions<Item>) {
  const queryClient = useQueryClient();
  const keyHash = hashKey(queryKey);
  const [state, setLoaded] = useState<Loaded>(() => openList(queryClient, queryKey));
  const loaded = state.keyHash === keyHash ? state : openList(queryClient, queryKey);
  if (loaded !== state) setLoaded(loaded);
  const { cursors } = loaded;
  const combine = useCallback(
    (results: UseQueryResult<Page<Item>>[]) => combinePages(results, cursors),
    [cursors],
  );
  const { pages, results, ...list } = useQueries({
    queries: cursors.map((cursor, index) => ({
      queryKey: pageKey(queryKey, cursor),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readPage({ queryClient, queryKey, cursor }, fetchPage, signal),
      enabled: isKeptFresh(loaded, index) || !isLoaded(queryClient, queryKey, cursor),
      // Only an invalidation makes a later page stale. The first one is also read again when the list opens.
      ...(index === 0 ? {} : { staleTime: Infinity }),
    })),
    combine,
  });

  const fetchNextPage = async () => {
    const next = pages.at(-1)?.pagination.nextCursor;
    if (next === null || next === undefined) return;
    const failed = results.find((result, index) => cursors[index] === next && result.isError);
    if (failed) await failed.refetch();
    else setLoaded({ ...loaded, cursors: [...cursors.slice(0, pages.length), next] });
  };

  const onVisibleRows = (first: number, last: number) => {
    const visible = [pageOfRow(pages, first), pageOfRow(pages, last)] as const;
    if (String(visible) !== String(loaded.visible)) setLoaded({ ...loaded, visible });
  };

  return { ...list, refetch: () => results[0]?.refetch(), fetchNextPage, onVisibleRows };
}

function combinePages<Item extends { id: string }>(
  results: UseQueryResult<Page<Item>>[],
  cursors: Loaded['cursors'],
) {
  const pages = linkedPages(
    results.map(({ data }) => data),
    cursors,
  );
  const next = results[pages.length];
  return {
    results,
    pages,
    items: pages.length === 0 ? undefined : rowsOf(pages),
    error: results.find(({ error }) => error)?.error ?? null,
    isPending: results[0]?.isPending ?? true,
    hasNextPage: typeof pages.at(-1)?.pagination.nextCursor === 'string',
    isFetchingNextPage: pages.length > 0 && next?.isFetching === true,
    nextPageError: pages.length > 0 ? (next?.error ?? null) : null,
  };
}

/** Reads one page. A page with another one after it keeps its end. */
async function readPage<Item extends { id: string }>(
  {
    queryClient,
    queryKey,
    cursor,
  }: { queryClient: QueryClient; queryKey: QueryKey; cursor: string | undefined },
  fetchPage: PagedOptions<Item>['fetchPage'],
  signal: AbortSignal,
): Promise<Page<Item>> {
  const followed = () => {
    const page = queryClient.getQueryData<Page<Item>>(pageKey(queryKey, cursor));
    const next = page?.pagination.nextCursor;
    return next && queryClient.getQueryState(pageKey(queryKey, next)) ? page : undefined;
  };
  const limit = followed() ? followedSize : pageSize;
  const fresh = await fetchPage(cursor === undefined ? { limit } : { limit, cursor }, signal);
  // Read again, because the person may have loaded the next page meanwhile.
  const old = followed();
  return old ? mergePage(old, fresh) : fresh;
}

const pageKey = (queryKey: QueryKey, cursor: string | undefined): QueryKey => [
  ...queryKey,
  'page',
  cursor ?? null,
];

const isLoaded = (queryClient: QueryClient, queryKey: QueryKey, cursor: string | undefined): boolean =>
  queryClient.getQueryData(pageKey(queryKey, cursor)) !== undefined;

/** The pages that are in the cache, so that a person who comes back finds the list as long as it was. */
function openList(queryClient: QueryClient, queryKey: QueryKey): Loaded {
  const cursors: (string | undefined)[] = [undefined];
  for (;;) {
    const page = queryClient.getQueryData<Page<unknown>>(pageKey(queryKey, cursors.at(-1)));
    const next = page?.pagination.nextCursor;
    if (!next || !isLoaded(queryClient, queryKey, next)) return { keyHash: hashKey(queryKey), cursors };
    cursors.push(next);
  }
}

function isKeptFresh({ cursors, visible }: Loaded, index: number): boolean {
  if (index === 0) return true;
  const [first, last] = visible ?? [cursors.length - freshMax, cursors.length - 1];
  return index >= Math.max(first, last - freshMax + 1) && index <= last;
}

/** The page of a row, for a table that reports which rows are on the screen. */
function pageOfRow(pages: readonly Page<unknown>[], row: number): number {
  let end = 0;
  const index = pages.findIndex(({ data }) => (end += data.length) > row);
  return index < 0 ? pages.length - 1 : index;
}

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
