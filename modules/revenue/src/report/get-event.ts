// One event with everything that explains it.
import { findJourney, type Journey } from '@service/attendees';
import { column, nullable, statement, type AccountReader, type RowsOf } from '@service/database';
import type { z } from 'zod';
import { explain } from '../attribution/explain-credit.ts';
import { nothingConsidered, type Considered } from '../credit.ts';
import { revenueErrors } from '../errors.ts';
import type { Pairing } from '../ledger/entities/event-credit.ts';
import type { PaymentState } from '../ledger/entities/payment.ts';
import type { RevenueEventType } from '../ledger/revenue-fact.ts';
import type { RevenueEventDetail } from './schemas.ts';
import {
  eventToOutput,
  nameOf,
  readNames,
  selectEvents,
  type EventRow,
  type Names,
} from './select-events.ts';

type Detail = z.input<typeof RevenueEventDetail>;

const selectConsidered = statement({
  name: 'revenue.select_attributed_purchase',
  text: `
    select c.considered, p.occurred_at from revenue.credit c
    left join lateral (select * from revenue.payment where account_id = $1 and id = c.id limit 1) p on true
    where c.account_id = $1 and c.id = $2`,
  row: { considered: nullable(column.json<Considered>()), occurred_at: nullable(column.time) },
});

const selectPayment = statement({
  name: 'revenue.select_payment',
  text: `
    select id, state, currency, amount_minor, refunded_minor, charged_back_minor, over_refunded, occurred_at
    from revenue.payment where account_id = $1 and id = $2`,
  row: {
    id: column.id,
    state: column.textOf<PaymentState>(),
    currency: column.text,
    amount_minor: column.digits,
    refunded_minor: column.digits,
    charged_back_minor: column.digits,
    over_refunded: column.boolean,
    occurred_at: column.time,
  },
});

const shownEventsMax = 200;

const selectPaymentEvents = statement({
  name: 'revenue.select_payment_events',
  text: `
    select e.id, e.type, e.event_id, e.amount_minor, c.pairing, c.occurred_at, e.received_at
    from revenue.credit c join revenue.revenue_event e on e.account_id = c.account_id and e.id = c.id
    where c.account_id = $1 and c.payment_id = $2
    order by c.occurred_at, e.id limit ${shownEventsMax}`,
  row: {
    id: column.id,
    type: column.textOf<RevenueEventType>(),
    event_id: column.text,
    amount_minor: column.digits,
    pairing: column.textOf<Pairing>(),
    occurred_at: column.time,
    received_at: column.time,
  },
});

/** Throws revenue_event_not_found. */
export async function getEvent(reader: AccountReader, revenueEventId: string): Promise<Detail> {
  const [row] = await selectEvents(reader, [revenueEventId]);
  if (!row) throw revenueErrors.revenue_event_not_found();
  const { query, accountId } = reader;
  const [[stored], [payment], events, journey] = await Promise.all([
    // Only the purchase of a first payment stores the touches that lost.
    query(selectConsidered, [accountId, row.renewal_of ?? row.payment_id ?? row.id]),
    query(selectPayment, [accountId, row.payment_id]),
    query(selectPaymentEvents, [accountId, row.payment_id]),
    row.registration_id === null ? undefined : findJourney(reader, row.registration_id),
  ]);
  const considered = stored?.considered ?? nothingConsidered;
  const names = await readNames(reader, {
    webinarIds: [row.webinar_id, ...considered.touches.map(({ webinarId }) => webinarId)],
    interactionIds: [row.interaction_id, ...considered.touches.map(({ interactionId }) => interactionId)],
    registrationIds: [row.registration_id],
  });
  const purchasedAt = stored?.occurred_at ?? row.occurred_at;
  return {
    ...eventToOutput(row, names),
    explanation: [
      ...explain(creditOf(row, considered), {
        type: row.type,
        purchasedAt,
        titles: new Map([...names.webinars, ...names.interactions]),
      }),
      ...correctionTexts(row, { payment, events }),
    ],
    considered: consideredToOutput(considered, names),
    payment: payment ? paymentToOutput(payment, events) : null,
    timeline: timelineOf(row, { journey, boughtAt: payment?.occurred_at }),
  };
}

const creditOf = (row: EventRow, considered: Considered) => ({
  level: row.level,
  matchedBy: row.matched_by,
  reason: row.reason,
  registrationId: row.registration_id,
  sessionId: row.session_id,
  webinarId: row.webinar_id,
  interactionId: row.interaction_id,
  utmSource: row.utm_source,
  touchAt: row.touch_at,
  renewalOf: row.renewal_of,
  // Only unpaired events have none, and their explanation does not name it.
  windowDays: row.window_days ?? 0,
  considered,
});

const consideredToOutput = (
  { touches, moreCount, isCut }: Considered,
  names: Names,
): Detail['considered'] => ({
  moreCount,
  isCut,
  touches: touches.map((touch) => ({
    level: touch.level,
    at: touch.at,
    webinarId: touch.webinarId,
    webinarTitle: nameOf(names.webinars, touch.webinarId),
    sessionId: touch.sessionId,
    registrationId: touch.registrationId,
    interactionId: touch.interactionId,
    interactionName: nameOf(names.interactions, touch.interactionId),
    windowDays: touch.windowDays,
    lost: touch.lost,
  })),
});

function paymentToOutput(
  payment: RowsOf<typeof selectPayment>,
  events: readonly RowsOf<typeof selectPaymentEvents>[],
): Detail['payment'] {
  const [amountMinor, refundedMinor, chargedBackMinor] = [
    payment.amount_minor,
    payment.refunded_minor,
    payment.charged_back_minor,
  ].map(Number) as [number, number, number];
  return {
    id: payment.id,
    state: payment.state,
    currency: payment.currency,
    amountMinor,
    refundedMinor,
    chargedBackMinor,
    netMinor: amountMinor - refundedMinor - chargedBackMinor,
    overRefunded: payment.over_refunded,
    events: events.map((event) => ({
      id: event.id,
      type: event.type,
      sourceEventId: event.event_id,
      amountMinor: Number(event.amount_minor),
      pairing: event.pairing,
      occurredAt: event.occurred_at.toISOString(),
      receivedAt: event.received_at.toISOString(),
    })),
  };
}

/** Rules are not called again when an amount is corrected, so the explanation says it. */
function correctionTexts(
  { amount_minor: amount, currency, type }: EventRow,
  { payment, events }: PaymentFacts,
): string[] {
  if (type !== 'purchase' || !payment) return [];
  const isCorrected = events.some(({ event_id: id }) => id.startsWith('corrected:'));
  if (!isCorrected || (payment.amount_minor === amount && payment.currency === currency)) return [];
  const from = payment.currency === currency ? amount : `${amount} ${currency}`;
  return [
    `The amount of this payment was corrected from ${from} to ${payment.amount_minor} ${payment.currency} minor units, because a ` +
      'more reliable event named another one. Rules do not fire again for a correction.',
  ];
}

interface PaymentFacts {
  payment: RowsOf<typeof selectPayment> | undefined;
  events: readonly RowsOf<typeof selectPaymentEvents>[];
}

interface Known {
  journey: Journey | undefined;
  boughtAt: Date | undefined;
}

function timelineOf(
  { level, touch_at: touchAt }: EventRow,
  { journey, boughtAt }: Known,
): Detail['timeline'] {
  const steps = [
    { step: 'registered', at: journey?.registeredAt },
    { step: 'joined', at: journey?.firstJoinedAt },
    { step: 'clicked', at: level === 'offer_click' ? touchAt : undefined },
    { step: 'bought', at: boughtAt },
  ] as const;
  return steps
    .flatMap(({ step, at }) => (at ? [{ step, at: at.toISOString() }] : []))
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
