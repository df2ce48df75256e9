import { breakdowns, periods } from '@service/catalogue';
import { dayOrMoment, id, instant } from '@service/trpc';
import { sumMinor } from '@service/trpc/fields';
import { z } from 'zod';

/** The longest time range of a summary. */
export const summaryDaysMax = 400;

/** Groups of a summary. */
export const groupsMax = 500;

const summaryGroupings = [...periods, ...breakdowns] as const;

export type SummaryGrouping = (typeof summaryGroupings)[number];

export const RevenueSummaryInput = z.strictObject({
  from: dayOrMoment
    .describe(
      'The first day in the time zone of the workspace, `2026-12-01`, or a time with its offset. Default: 30 days before the end.',
    )
    .meta({ examples: ['2026-11-01'] })
    .optional(),
  to: dayOrMoment
    .describe(
      `The last day, which is included, or a time at which the range ends. At most ${summaryDaysMax} days in all. Default: today.`,
    )
    .meta({ examples: ['2026-11-30'] })
    .optional(),
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{3}$/, 'Three letters of ISO 4217, such as EUR.')
    .describe('Only amounts in this currency.')
    .optional(),
  webinarId: id('webinar').describe('Only events that are credited to this webinar.').optional(),
  by: z
    .enum(summaryGroupings)
    .meta({ id: 'RevenueGrouping' })
    .default('day')
    .describe('The field whose values are the groups.'),
});

const minor = (text: string) => sumMinor().describe(`${text}, in minor units of the currency.`);
const count = () => z.int();

const sums = {
  currency: z.string().describe('ISO 4217, in upper case. Currencies are never added together.'),
  grossMinor: minor('Purchases'),
  refundsMinor: minor('Refunds, zero or negative as a rule'),
  chargebacksMinor: minor('Chargebacks, zero or negative as a rule'),
  netMinor: minor('The sum of purchases, refunds and chargebacks'),
  purchases: count().describe('The number of purchases.'),
  renewalsMinor: minor('The part of `grossMinor` that is renewals of subscriptions'),
  renewals: count().describe('The part of `purchases` that is renewals. The others are first payments.'),
  refunds: count().describe('The number of refunds.'),
  chargebacks: count().describe('The number of chargebacks.'),
};

/** Null where the numbers of people do not apply, or where there are more than are counted. */
const people = {
  registrants: count()
    .nullable()
    .describe('Registrations that were made in the time range and are not cancelled.'),
  attendees: count().nullable().describe('Those of them whose attendee has joined.'),
  perRegistrantMinor: minor('Net revenue divided by registrants').nullable(),
  perAttendeeMinor: minor('Net revenue divided by attendees').nullable(),
};

export const RevenueTotal = z
  .object({
    ...sums,
    unattributedShare: z
      .number()
      .nullable()
      .describe(
        'The part of the purchases that is credited to no registration, 0 to 1. Null without purchases.',
      ),
    ...people,
  })
  .meta({ id: 'RevenueTotal' });

export const RevenueGroup = z
  .object({
    key: z
      .string()
      .nullable()
      .describe(
        'A day such as `2026-11-22`, the Monday of a week, a month such as `2026-11`, the id of a webinar or an offer, a level, a UTM source, or a source. Null for events ' +
          'without one.',
      ),
    title: z.string().nullable().describe('The title of the webinar or the internal name of the offer.'),
    ...sums,
    ...people,
  })
  .meta({ id: 'RevenueGroup' });

export const RevenueSummary = z
  .object({
    from: instant(),
    to: instant().describe('The end, which is not included. ISO 8601, UTC.'),
    timeZone: z
      .string()
      .describe('The time zone of the workspace. Days, weeks and months are counted in it.'),
    totals: z.array(RevenueTotal).describe('One for each currency.'),
    groups: z
      .array(RevenueGroup)
      .describe(
        `One for each currency and value, by currency. Days, weeks and months are in their order, other groups by their purchases, the largest first. ` +
          `Numbers of people are in groups by webinar only. At most ${groupsMax}.`,
      ),
    hasMoreGroups: z.boolean().describe(`True if there are more than ${groupsMax} groups.`),
  })
  .meta({ id: 'RevenueSummary' });

const netByCurrency = z.array(RevenueTotal.pick({ currency: true, netMinor: true }));

/** Net revenue of 30 days and of the 30 days before, by currency. */
export const RevenueTrend = z.object({ current: netByCurrency, former: netByCurrency });
