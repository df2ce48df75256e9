import type { AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { resolveTimes, type TimeZoneReader } from './days.ts';
import type { ListRevenueEventsInput } from './schemas.ts';
import { searchEvents } from './search-events.ts';
import { eventToOutput, readNamesOf, selectEvents } from './select-events.ts';

/**
 * A page of the ledger, the latest events first. When few events match, a page may be short or empty and still have a next page.
 * A cursor is valid for one set of filters.
 */
export async function listEvents(
  reader: AccountReader,
  { limit, cursor, ...given }: z.output<typeof ListRevenueEventsInput>,
  readTimeZone: TimeZoneReader,
) {
  const filters = await resolveTimes(given, () => readTimeZone(reader));
  const scope = { list: 'revenue_events', accountId: reader.accountId, filters };
  const after = cursorId(cursor, scope);
  const { ids, stoppedAt } = await searchEvents(reader, filters, { after, wanted: limit + 1 });
  const rows = await selectEvents(reader, ids);
  const names = await readNamesOf(reader, rows.slice(0, limit));
  return toPage(rows, { limit, scope, stoppedAt, toItem: (row) => eventToOutput(row, names) });
}
