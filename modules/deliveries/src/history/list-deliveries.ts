// Lists of an endpoint's deliveries. What is looked at is bounded, however much history there is.
import { idAt, type AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import { findByIds } from './history.ts';
import type { DeliveryOutput } from '../schemas.ts';
import { searchHistory, type HistoryFilters, type IdRange } from './search-history.ts';
import { isWaiting, searchQueue } from './search-queue.ts';
import { deliveryToOutput } from './to-output.ts';

export interface DeliveryQuery extends HistoryFilters {
  limit: number;
  cursor?: string | undefined;
  /** ISO 8601: made at this moment or later. */
  from?: string | undefined;
  /** ISO 8601: made before this moment. */
  to?: string | undefined;
}

export interface DeliveryPage {
  data: DeliveryOutput[];
  pagination: { nextCursor: string | null; hasMore: boolean };
}

const lowestId = '00000000-0000-0000-0000-000000000000';
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Newest first. Where few deliveries match, a page may end early, even empty, and still name the next one. The cursor
 * belongs to the endpoint and the filters.
 */
export async function listDeliveries(
  reader: AccountReader,
  { limit, cursor, ...filters }: DeliveryQuery,
): Promise<DeliveryPage> {
  const scope = { list: 'deliveries', accountId: reader.accountId, filters };
  const after = cursorId(cursor, scope);
  const until = filters.to === undefined ? highestId : idAt(new Date(filters.to));
  const range: IdRange = {
    before: after !== undefined && after < until ? after : until,
    since: filters.from === undefined ? lowestId : idAt(new Date(filters.from)),
  };
  const { status } = filters;
  const search = { range, wanted: limit + 1 };
  const found = isWaiting(status)
    ? { ids: await searchQueue(reader, { ...filters, status }, search) }
    : await searchHistory(reader, filters, search);
  const rows = await findByIds(reader, found.ids);
  return toPage(rows, { limit, scope, stoppedAt: found.stoppedAt, toItem: deliveryToOutput });
}
