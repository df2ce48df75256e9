import { paymentStates, revenueEventTypes } from '@service/catalogue';
import { dayOrMoment, id, instant, pageInput, text } from '@service/trpc';
import { z } from 'zod';
import { creditLevel, lossReasons, matchKinds, shownReasons, touchLevels } from '../credit.ts';
import { pairings } from '../ledger/revenue-event.ts';

const eventType = z.enum(revenueEventTypes).meta({
  id: 'RevenueEventType',
  description:
    'A reversal takes back a refund that failed, a chargeback that was won, or a purchase that is the same payment as another one ' +
    'or has another amount.',
});

const paymentState = z.enum(paymentStates).meta({
  id: 'PaymentState',
  description: '`charged_back` while a chargeback stands, also when the payment was refunded too.',
});

const pairing = z.enum(pairings).meta({
  id: 'RevenuePairing',
  description:
    'The relation of the event to its payment: `own` for a purchase, `transaction` when the provider names the payment, `inferred` from ' +
    'e-mail address, currency, time and amount when it names none. `unpaired` until its purchase arrives, and `waiting` for a ' +
    'reversal until the refund or chargeback that it takes back arrives.',
});

const source = text(50)
  .describe('The source: `generic`, or a payment provider such as `stripe`.')
  .meta({ examples: ['stripe'] });

/** The filters of events, in lists and in the export. Sums have `from`, `to`, `webinarId` and `currency`. */
export const eventFilters = {
  from: dayOrMoment
    .describe(
      'Only events of this day in the time zone of the workspace, `2026-12-01`, or of this time, ISO 8601, or later ones.',
    )
    .meta({ examples: ['2026-12-01'] })
    .optional(),
  to: dayOrMoment
    .describe('Only events of this day or earlier ones, or before this time, ISO 8601.')
    .meta({ examples: ['2026-12-31'] })
    .optional(),
  type: eventType.optional().describe('Only events of this type.'),
  source: source.optional(),
  state: paymentState.describe('Only purchases whose payment is in this state.').optional(),
  attributed: z
    .boolean()
    .describe('Only events that are credited to a registration (`true`) or are not (`false`).')
    .optional(),
  webinarId: id('webinar').describe('Only events that are credited to this webinar.').optional(),
  interactionId: id('interaction')
    .describe('Only events that are credited to a click on this offer.')
    .optional(),
  email: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(text(320))
    .describe('Only events of the buyer with this e-mail address. Case is ignored.')
    .optional(),
};

export const ListRevenueEventsInput = z.strictObject({ ...eventFilters, ...pageInput });

export type EventFilters = Omit<z.output<typeof ListRevenueEventsInput>, 'limit' | 'cursor'>;

export const RevenueEventInput = z.strictObject({ revenueEventId: id('revenue event') });

const minor = () => z.int().describe('In minor units of the currency.');
const nullableText = () => z.string().nullable();
const nullableId = () => z.uuid().nullable();

const creditFields = {
  level: creditLevel,
  matchedBy: z
    .enum(matchKinds)
    .meta({ id: 'RevenueMatch' })
    .nullable()
    .describe(
      'The value by which the person was found. Null for an unattributed event, and for a credit by hand.',
    ),
  reason: z
    .enum(shownReasons)
    .meta({ id: 'UnattributedReason' })
    .nullable()
    .describe(
      'Why the event is unattributed; `taken_away` by a decision of an owner. Null for other levels.',
    ),
  webinarId: nullableId().describe('The webinar that has the credit. Null without one.'),
  webinarTitle: nullableText().describe('The title of the webinar.'),
  sessionId: nullableId().describe('The session of the registration. Null without one.'),
  registrationId: nullableId().describe('The registration that has the credit. Null without one.'),
  registrantName: nullableText().describe('The name of the attendee.'),
  interactionId: nullableId().describe('The offer, for the level `offer_click`.'),
  interactionName: nullableText().describe('The internal name of the offer.'),
  utmSource: nullableText().describe('The UTM source of the registration.'),
  touchAt: instant().nullable().describe('The time of the touch that got the credit.'),
  renewalOf: nullableId().describe(
    'The payment whose credit this renewal of a subscription has. Null for other payments.',
  ),
  windowDays: z
    .int()
    .nullable()
    .describe('The attribution window that was used. Null while the event is unpaired.'),
  decision: z
    .object({
      madeBy: z.string().describe('The name of the owner.'),
      madeAt: instant(),
      why: z.string().describe('The reason that the owner gave.'),
    })
    .meta({ id: 'CreditDecision' })
    .nullable()
    .describe('An owner has credited the payment by hand, or has taken its credit away. Null otherwise.'),
};

const eventFields = {
  id: id('revenue event'),
  type: eventType,
  source: z.string().describe('The source: `generic`, or a payment provider such as `stripe`.'),
  sourceEventId: z.string().describe('The id of the event at its source.'),
  email: nullableText().describe(
    'The e-mail address of the buyer, which may come from another event of the same payment.',
  ),
  amountMinor: minor().describe(
    'In minor units of the currency. Zero or negative for refunds, chargebacks and reversals of purchases.',
  ),
  countedMinor: minor().describe(
    'The part of the amount that counts in sums. 0 for a reversal that waits for its refund or chargeback; `amountMinor` for nearly ' +
      'all other events.',
  ),
  currency: z.string().describe('ISO 4217, in upper case.'),
  occurredAt: instant().describe(
    'The time at which the event counts. That of the earliest report for a purchase.',
  ),
  receivedAt: instant(),
  paymentId: nullableId().describe('The payment that the event belongs to. Null while it is unpaired.'),
  state: paymentState.nullable().describe('The state of the payment. Null while the event is unpaired.'),
  pairing,
  overRefunded: z.boolean().describe('More of the payment was refunded and charged back than was paid.'),
  attributed: z.boolean().describe('The event is credited to a registration.'),
  credit: z.object(creditFields).meta({
    id: 'RevenueCredit',
    description: 'The attendee, webinar and offer that have the credit, and why.',
  }),
};

export const RevenueEventOutput = z.object(eventFields).meta({ id: 'RevenueEvent' });

const ConsideredTouch = z
  .object({
    level: z.enum(touchLevels).meta({
      id: 'TouchLevel',
      description: 'The act of the attendee: a click on an offer, attendance or registration.',
    }),
    at: instant(),
    webinarId: id('webinar'),
    webinarTitle: nullableText().describe('The title of the webinar.'),
    sessionId: id('session'),
    registrationId: id('registration'),
    interactionId: nullableId().describe('The offer that was clicked. Null for other touches.'),
    interactionName: nullableText().describe('The internal name of the offer.'),
    windowDays: z.int().describe('The attribution window of the webinar.'),
    lost: z
      .enum(lossReasons)
      .meta({ id: 'LossReason', description: 'Why the touch did not get the credit.' }),
  })
  .meta({ id: 'ConsideredTouch' });

const PaymentOutput = z
  .object({
    id: id('payment'),
    state: paymentState,
    currency: z.string().describe('ISO 4217, in upper case.'),
    amountMinor: minor(),
    refundedMinor: minor().describe('The refunded part, in minor units.'),
    chargedBackMinor: minor().describe('The charged back part, in minor units.'),
    netMinor: minor().describe('The rest, in minor units.'),
    overRefunded: z.boolean().describe('More of the payment was refunded and charged back than was paid.'),
    events: z
      .array(
        z
          .object({
            id: id('revenue event'),
            type: eventType,
            sourceEventId: z.string().describe('The id of the event at its source.'),
            amountMinor: minor(),
            pairing,
            occurredAt: instant(),
            receivedAt: instant(),
          })
          .meta({ id: 'PaymentEvent' }),
      )
      .describe('Oldest first, at most 200.'),
  })
  .meta({ id: 'RevenuePayment' });

const TimelineStep = z
  .object({
    step: z
      .enum(['registered', 'joined', 'clicked', 'bought'])
      .meta({ id: 'RevenueStepName', description: 'The act of the attendee.' }),
    at: instant(),
  })
  .meta({ id: 'RevenueStep' });

export const RevenueEventDetail = z
  .object({
    ...eventFields,
    explanation: z.array(z.string()).describe('The reasons for the credit, in sentences.'),
    considered: z
      .object({
        touches: z.array(ConsideredTouch).describe('The touches, the strongest first.'),
        moreCount: z.int().describe('Touches that were compared and are not in `touches`.'),
        isCut: z
          .boolean()
          .describe('True if the person has more registrations than the newest 200, which were compared.'),
      })
      .meta({ id: 'RevenueConsidered' })
      .describe('The touches that did not get the credit.'),
    payment: PaymentOutput.nullable().describe('Null while the event is unpaired.'),
    timeline: z.array(TimelineStep).describe('The acts of the attendee, oldest first.'),
  })
  .meta({ id: 'RevenueEventDetail' });
