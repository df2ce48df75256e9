// One event with everything that explains it.
import { findJourney, type Journey } from '@service/attendees';
import type { PaymentState, RevenueEventType } from '@service/catalogue';
import { column, nullable, selectList, statement, type AccountReader, type RowsOf } from '@service/database';
import type { z } from 'zod';
import { explain, type ExplainedCredit } from '../attribution/explain-credit.ts';
import { nothingConsidered, type Considered } from '../credit.ts';
import { revenueErrors } from '../errors.ts';
import type { Pairing } from '../ledger/revenue-event.ts';
import { takeCredit } from '../ledger/stored-credit.sql.ts';
import type { RevenueEventDetail } from './schemas.ts';
import { eventToOutput, nameOf, readNames, selectEvents } from './select-events.ts';
import type { EventRow, Names } from './select-events.ts';

type Detail = z.input<typeof RevenueEventDetail>;

const selectConsidered = statement({
  name: 'revenue.select_attributed_purchase',
  text: `
    select c.considered, p.occurred_at as "occurredAt" from revenue.credit c
    left join lateral (select * from revenue.payment where account_id = $1 and id = c.id limit 1) p on true
    where c.account_id = $1 and c.id = $2`,
  row: { considered: nullable(column.json<Considered>()), occurredAt: nullable(column.time) },
});

const paymentRow = {
  id: column.id,
  state: column.textOf<PaymentState>(),
  currency: column.text,
  amountMinor: column.digits,
  refundedMinor: column.digits,
  chargedBackMinor: column.digits,
  overRefunded: column.boolean,
  occurredAt: column.time,
};

const selectPayment = statement({
  name: 'revenue.select_payment',
  text: `select ${selectList(paymentRow)} from revenue.payment where account_id = $1 and id = $2`,
  row: paymentRow,
});

const shownEventsMax = 200;

const selectPaymentEvents = statement({
  name: 'revenue.select_payment_events',
  text: `
    select e.id, e.type, e.event_id as "sourceEventId", e.amount_minor as "amountMinor", c.pairing, c.occurred_at as "occurredAt",
      e.received_at as "receivedAt"
    from revenue.credit c join revenue.revenue_event e on e.account_id = c.account_id and e.id = c.id
    where c.account_id = $1 and c.payment_id = $2
    order by c.occurred_at, e.id limit ${shownEventsMax}`,
  row: {
    id: column.id,
    type: column.textOf<RevenueEventType>(),
    sourceEventId: column.text,
    amountMinor: column.digits,
    pairing: column.textOf<Pairing>(),
    occurredAt: column.time,
    receivedAt: column.time,
  },
});

/** Throws revenue_event_not_found. */
export async function getEvent(reader: AccountReader, revenueEventId: string): Promise<Detail> {
  const [row] = await selectEvents(reader, [revenueEventId]);
  if (!row) throw revenueErrors.revenue_event_not_found();
  const { query, accountId } = reader;
  const [[stored], [payment], events, journey] = await Promise.all([
    // Only the purchase of a first payment stores the touches that lost.
    query(selectConsidered, [accountId, row.renewalOf ?? row.paymentId ?? row.id]),
    query(selectPayment, [accountId, row.paymentId]),
    query(selectPaymentEvents, [accountId, row.paymentId]),
    row.registrationId === null ? undefined : findJourney(reader, row.registrationId),
  ]);
  const considered = stored?.considered ?? nothingConsidered;
  const names = await readNames(reader, {
    webinarIds: [row.webinarId, ...considered.touches.map(({ webinarId }) => webinarId)],
    interactionIds: [row.interactionId, ...considered.touches.map(({ interactionId }) => interactionId)],
    registrationIds: [row.registrationId],
  });
  const purchasedAt = stored?.occurredAt ?? row.occurredAt;
  return {
    ...eventToOutput(row, names),
    explanation: [
      ...explain(creditOf(row, considered), {
        type: row.type,
        email: row.email,
        purchasedAt,
        titles: new Map([...names.webinars, ...names.interactions]),
      }),
      ...correctionTexts(row, { payment, events }),
    ],
    considered: consideredToOutput(considered, names),
    payment: payment ? paymentToOutput(payment, events) : null,
    timeline: timelineOf(row, { journey, boughtAt: payment?.occurredAt }),
  };
}

const creditOf = (row: EventRow, considered: Considered): ExplainedCredit => ({
  ...takeCredit(row).credit,
  decision: row.madeBy === null ? null : { madeBy: row.madeBy, madeAt: row.madeAt!, why: row.why! },
  // Only unpaired events have none, and their explanation does not name it.
  windowDays: row.windowDays ?? 0,
  considered,
});

const consideredToOutput = (
  { touches, moreCount, isCut }: Considered,
  names: Names,
): Detail['considered'] => ({
  moreCount,
  isCut,
  touches: touches.map(
    ({ isNamed: _isNamed, isCancelled: _isCancelled, utmSource: _utmSource, ...touch }) => ({
      ...touch,
      webinarTitle: nameOf(names.webinars, touch.webinarId),
      interactionName: nameOf(names.interactions, touch.interactionId),
    }),
  ),
});

function paymentToOutput(
  { occurredAt: _occurredAt, ...payment }: RowsOf<typeof selectPayment>,
  events: readonly RowsOf<typeof selectPaymentEvents>[],
): Detail['payment'] {
  const [amountMinor, refundedMinor, chargedBackMinor] = [
    Number(payment.amountMinor),
    Number(payment.refundedMinor),
    Number(payment.chargedBackMinor),
  ];
  return {
    ...payment,
    amountMinor,
    refundedMinor,
    chargedBackMinor,
    netMinor: amountMinor - refundedMinor - chargedBackMinor,
    events: events.map((event) => ({
      ...event,
      amountMinor: Number(event.amountMinor),
      occurredAt: event.occurredAt.toISOString(),
      receivedAt: event.receivedAt.toISOString(),
    })),
  };
}

/** Rules are not called again when an amount is corrected, so the explanation says it. */
function correctionTexts(
  { amountMinor: amount, currency, type }: EventRow,
  { payment, events }: PaymentFacts,
): string[] {
  if (type !== 'purchase' || !payment) return [];
  const isCorrected = events.some(({ sourceEventId }) => sourceEventId.startsWith('corrected:'));
  if (!isCorrected || (payment.amountMinor === amount && payment.currency === currency)) return [];
  const from = payment.currency === currency ? amount : `${amount} ${currency}`;
  return [
    `The amount of this payment was corrected from ${from} to ${payment.amountMinor} ${payment.currency} minor units, because a ` +
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

function timelineOf({ level, touchAt }: EventRow, { journey, boughtAt }: Known): Detail['timeline'] {
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
