// The credit of an event, as statements read it from the alias `c`.
import { column, nullable, selectList } from '@service/database';
import type { CreditLevel, MatchKind, UnattributedReason } from '../credit.ts';
import type { RowCredit } from './ledger-row.ts';

/** The fields of a `RowCredit`. */
export const creditRow = {
  level: column.textOf<CreditLevel>(),
  matchedBy: nullable(column.textOf<MatchKind>()),
  reason: nullable(column.textOf<UnattributedReason>()),
  registrationId: nullable(column.id),
  sessionId: nullable(column.id),
  webinarId: nullable(column.id),
  interactionId: nullable(column.id),
  utmSource: nullable(column.text),
  touchAt: nullable(column.time),
  windowDays: nullable(column.integer),
  renewalOf: nullable(column.id),
};

export const creditColumns = selectList(creditRow, { of: 'c' });

/** Separates the credit from the other fields of a row. */
export function takeCredit<Row extends Omit<RowCredit, 'reason'> & { reason: unknown }>(row: Row) {
  const { level, matchedBy, reason, registrationId, sessionId, webinarId, interactionId, ...rest } = row;
  const { utmSource, touchAt, windowDays, renewalOf, ...others } = rest;
  const touch = { registrationId, sessionId, webinarId, interactionId, utmSource, touchAt };
  const credit: Omit<RowCredit, 'reason'> & Pick<Row, 'reason'> = {
    level,
    matchedBy,
    reason,
    ...touch,
    windowDays,
    renewalOf,
  };
  return { credit, others };
}

/** Joins the credit of the event with this id. With a limit, Postgres looks up one event at a time and joins no whole table. */
export const joinCredit = (id: string): string =>
  `cross join lateral (select * from revenue.credit where account_id = $1 and id = ${id} limit 1) c`;
