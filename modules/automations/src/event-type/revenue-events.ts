import { id } from '@service/trpc';
import { z } from 'zod';
import { defineEventType, isIdIn, oncePer, someId } from './define-event-type.ts';

const level = z
  .enum(['offer_click', 'attended', 'registered'])
  .meta({ id: 'CreditedLevel' })
  .optional()
  .describe('The last step of the attendee before the purchase: an offer click, attendance or registration.');

const dataWith = <Type extends z.ZodType>(type: Type) =>
  z.looseObject({
    revenueEventId: someId('revenue event. Each one has its own'),
    type,
    amountMinor: z
      .int()
      .optional()
      .describe('In the smallest unit of the currency. Zero or negative for refunds and chargebacks.'),
    currency: z.string().optional().describe('ISO 4217, in upper case.'),
    offerId: someId('offer that has the credit, if it was clicked'),
    level,
  });

const sampleOf = (type: string, amountMinor: number) => ({
  revenueEventId: '019aa2e0-1f43-7a51-9c1d-6f0d2b8e4a17',
  type,
  amountMinor,
  currency: 'EUR',
  offerId: '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02',
  level: 'offer_click',
});

const oneOffer = z.strictObject({
  interactionId: id('interaction')
    .optional()
    .describe('Only purchases that are credited to this offer. Default: any purchase.'),
});

const controls = { interactionId: { label: 'Offer', control: 'interaction', types: ['offer'] } } as const;

export const revenueEvents = {
  purchase: defineEventType({
    type: 'purchase',
    title: 'Bought something',
    group: 'Revenue',
    when: 'An attendee buys something',
    sentence: 'an attendee buys something[ through {interactionId}]',
    description: 'A purchase is credited to an attendee for the first time, at once or later.',
    data: dataWith(z.literal('purchase').optional().describe('The type of the revenue event.')),
    sample: sampleOf('purchase', 19_900),
    params: oneOffer.meta({ id: 'PurchaseParams' }).prefault({}),
    controls,
    matches: { interactionId: isIdIn('offerId') },
    subject: oncePer('revenueEventId'),
    firesPer: { noun: 'purchase' },
  }),

  refund: defineEventType({
    type: 'refund',
    title: 'Got a refund',
    group: 'Revenue',
    when: 'An attendee gets a refund',
    sentence: 'an attendee gets a refund[ of a purchase through {interactionId}]',
    description: 'A purchase of an attendee is refunded or charged back, in part or in full.',
    data: dataWith(
      z
        .enum(['refund', 'chargeback'])
        .meta({ id: 'RefundType', description: 'The type of the revenue event.' })
        .optional(),
    ),
    sample: sampleOf('refund', -19_900),
    params: oneOffer.meta({ id: 'RefundParams' }).prefault({}),
    controls,
    matches: { interactionId: isIdIn('offerId') },
    subject: oncePer('revenueEventId'),
    firesPer: { noun: 'refund' },
  }),
};
