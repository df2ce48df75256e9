// The credit of an event, as statements read it from the alias `c`.
import { column, nullable } from '@service/database';
import type { CreditLevel, MatchKind, UnattributedReason } from '../credit.ts';

export const creditColumns = `
  c.level, c.matched_by as "matchedBy", c.reason, c.registration_id as "registrationId", c.session_id as "sessionId",
  c.webinar_id as "webinarId", c.interaction_id as "interactionId", c.utm_source as "utmSource", c.touch_at as "touchAt",
  c.window_days as "windowDays", c.renewal_of as "renewalOf"`;

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

/** Joins the credit of the event with this id. With a limit, Postgres looks up one event at a time and joins no whole table. */
export const joinCredit = (id: string): string =>
  `cross join lateral (select * from revenue.credit where account_id = $1 and id = ${id} limit 1) c`;
