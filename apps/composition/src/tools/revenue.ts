import { one, page, type ToolDefinition } from '@service/mcp';
import { z } from 'zod';
import { firstRows, moment, nullable, text, whole } from './fields.ts';

const event = {
  id: text,
  type: text,
  email: nullable(text),
  amountMinor: whole,
  currency: text,
  occurredAt: moment,
  state: nullable(text),
  attributed: z.boolean(),
  credit: z.object({
    level: text,
    reason: nullable(text),
    webinarId: nullable(text),
    webinarTitle: nullable(text),
    registrationId: nullable(text),
    registrantName: nullable(text),
    interactionId: nullable(text),
    interactionName: nullable(text),
  }),
};

const sums = {
  currency: text,
  grossMinor: whole,
  refundsMinor: whole,
  chargebacksMinor: whole,
  netMinor: whole,
  purchases: whole,
};

const Summary = z
  .object({
    from: moment,
    to: moment,
    timeZone: text,
    totals: z.array(z.object({ ...sums, renewalsMinor: whole, unattributedShare: nullable(whole) })),
    groups: z.array(z.object({ key: nullable(text), title: nullable(text), ...sums })),
    hasMoreGroups: z.boolean(),
  })
  .overwrite(({ groups, hasMoreGroups, ...summary }) => {
    const shown = firstRows(groups);
    return { ...summary, groups: shown, hasMoreGroups: hasMoreGroups || shown.length < groups.length };
  });

/** The filters explain themselves to an assistant. */
const shortFilters = {
  type: { type: 'string' },
  state: { type: 'string' },
  attributed: { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  webinarId: { type: 'string' },
  interactionId: { type: 'string' },
  email: { type: 'string' },
};

export const revenueTools: readonly ToolDefinition[] = [
  {
    name: 'list_revenue_events',
    procedure: 'revenue.list',
    title: 'List purchases and refunds',
    description:
      'Finds purchases, refunds and chargebacks, newest first, with the webinar, offer and attendee that they are credited to. ' +
      'Amounts are in minor units, such as cents.',
    arguments: shortFilters,
    hiddenArguments: ['source'],
    output: page(z.object(event)),
  },
  {
    name: 'get_revenue_event',
    procedure: 'revenue.get',
    title: 'Explain the credit of a purchase',
    description:
      'Reads one purchase, refund or chargeback with the sentences that explain why a webinar and an attendee got its credit, or why none did.',
    output: one(z.object({ ...event, explanation: z.array(text) })),
  },
  {
    name: 'get_revenue_summary',
    procedure: 'revenue.summary',
    title: 'Get sums of revenue',
    description:
      'Sums revenue in total and in groups: 20 at most. Days are of the time zone of the workspace. Never add currencies together.',
    arguments: {
      from: { type: 'string', description: 'The first day, such as 2030-01-15, or a time.' },
      to: { type: 'string', description: 'The last day, or a time.' },
      webinarId: { type: 'string' },
      currency: { type: 'string' },
      by: { enum: ['day', 'week', 'month', 'webinar', 'offer', 'level', 'utmSource', 'source'] },
    },
    output: one(Summary),
  },
];
