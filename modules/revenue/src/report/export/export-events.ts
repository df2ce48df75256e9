import type { AccountReader } from '@service/database';
import { minorToDecimal } from '../../ledger/money.ts';
import type { EventFilters } from '../schemas.ts';
import { searchEvents } from '../search-events.ts';
import { nameOf, readNamesOf, selectEvents, type EventRow, type Names } from '../select-events.ts';
import { numberCell, textCell, toLine } from './csv.ts';

type Cell = (row: EventRow, names: Names) => string;

/** The columns of the file by their headings, in order. */
const columns: Readonly<Record<string, Cell>> = {
  occurred_at: (row) => row.occurred_at.toISOString(),
  received_at: (row) => row.received_at.toISOString(),
  type: (row) => row.type,
  source: (row) => textCell(row.provider),
  amount: (row) => numberCell(minorToDecimal(BigInt(row.amount_minor), row.currency)),
  amount_minor: (row) => numberCell(row.amount_minor),
  currency: (row) => row.currency,
  email: (row) => textCell(row.email),
  credited_by: (row) => row.level,
  reason: (row) => textCell(row.reason),
  webinar: (row, { webinars }) => textCell(nameOf(webinars, row.webinar_id)),
  offer: (row, { interactions }) => textCell(nameOf(interactions, row.interaction_id)),
  attendee: (row, { registrants }) => textCell(nameOf(registrants, row.registration_id)),
  utm_source: (row) => textCell(row.utm_source),
  touch_at: (row) => row.touch_at?.toISOString() ?? '',
  payment_state: (row) => textCell(row.state),
  pairing: (row) => row.pairing,
  id: (row) => row.id,
  source_event_id: (row) => textCell(row.event_id),
  renewal_of: (row) => textCell(row.renewal_of),
  payment_id: (row) => textCell(row.payment_id),
  webinar_id: (row) => textCell(row.webinar_id),
  session_id: (row) => textCell(row.session_id),
  registration_id: (row) => textCell(row.registration_id),
  offer_id: (row) => textCell(row.interaction_id),
  counted_minor: (row) => numberCell(row.counted_minor),
};

/** Events of one part of the file. */
const pageSize = 500;

/** Excel reads a file without it in the character set of the machine. */
const byteOrderMark = '\uFEFF';

/**
 * The text of the file in parts. Each part is read when the former one was taken, with a reader of its own, because a unit of work
 * keeps every record that it has read.
 */
export async function* exportEvents(
  createReader: () => AccountReader,
  filters: EventFilters,
): AsyncGenerator<string, void> {
  const cells = Object.values(columns);
  yield byteOrderMark + toLine(Object.keys(columns));
  for (let after: string | undefined; ;) {
    const reader = createReader();
    const { ids, stoppedAt } = await searchEvents(reader, filters, { after, wanted: pageSize });
    const rows = await selectEvents(reader, ids);
    const names = await readNamesOf(reader, rows);
    if (rows.length > 0) yield rows.map((row) => toLine(cells.map((cell) => cell(row, names)))).join('');
    after = ids.length === pageSize ? ids.at(-1) : stoppedAt;
    if (after === undefined) return;
  }
}
