import type { AccountReader } from '@service/database';
import { byteOrderMark, numberCell, textCell, toLine } from '@service/rest';
import { minorToDecimal } from '../ledger/money.ts';
import type { EventFilters } from './schemas.ts';
import { searchEvents } from './search-events.ts';
import { nameOf, readNamesOf, selectEvents, type EventRow, type Names } from './select-events.ts';

type Cell = (row: EventRow, names: Names) => string;

/** The columns of the file by their headings, in order. */
const columns: Readonly<Record<string, Cell>> = {
  occurred_at: (row) => row.occurredAt.toISOString(),
  received_at: (row) => row.receivedAt.toISOString(),
  type: (row) => row.type,
  source: (row) => textCell(row.provider),
  amount: (row) => numberCell(minorToDecimal(BigInt(row.amountMinor), row.currency)),
  amount_minor: (row) => numberCell(row.amountMinor),
  currency: (row) => row.currency,
  email: (row) => textCell(row.email),
  credited_by: (row) => row.level,
  reason: (row) => textCell(row.reason),
  webinar: (row, { webinars }) => textCell(nameOf(webinars, row.webinarId)),
  offer: (row, { interactions }) => textCell(nameOf(interactions, row.interactionId)),
  attendee: (row, { registrants }) => textCell(nameOf(registrants, row.registrationId)),
  utm_source: (row) => textCell(row.utmSource),
  touch_at: (row) => row.touchAt?.toISOString() ?? '',
  payment_state: (row) => textCell(row.state),
  pairing: (row) => row.pairing,
  id: (row) => row.id,
  source_event_id: (row) => textCell(row.eventId),
  renewal_of: (row) => textCell(row.renewalOf),
  payment_id: (row) => textCell(row.paymentId),
  webinar_id: (row) => textCell(row.webinarId),
  session_id: (row) => textCell(row.sessionId),
  registration_id: (row) => textCell(row.registrationId),
  offer_id: (row) => textCell(row.interactionId),
  counted_minor: (row) => numberCell(row.countedMinor),
};

/** Events of one part of the file. */
const pageSize = 500;

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
