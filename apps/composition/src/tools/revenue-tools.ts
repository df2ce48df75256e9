import { one, page, withUntrusted, type ToolDefinition } from '@service/mcp';
import { z } from 'zod';
import { firstRows, moment, nullable, text, whole } from './output-fields.ts';

const event = {
  id: text,
  type: text,
  amountMinor: whole,
  currency: text,
  occurredAt: moment,
  state: nullable(text),
  attributed: z.boolean(),
  credit: withUntrusted(
    {
      level: text,
      reason: nullable(text),
      webinarId: nullable(text),
      webinarTitle: nullable(text),
      registrationId: nullable(text),
      interactionId: nullable(text),
      interactionName: nullable(text),
    },
    { registrantName: nullable(text) },
  ),
};

const buyer = { email: nullable(text) };

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
    // The key is a UTM source as a link had it, or an id.
    groups: z.array(withUntrusted({ title: nullable(text), ...sums }, { key: nullable(text) })),
    hasMoreGroups: z.boolean(),
  })
  .overwrite(({ groups, hasMoreGroups, ...summary }) => {
    const shown = firstRows(groups);
    return { ...summary, groups: shown, hasMoreGroups: hasMoreGroups || shown.length < groups.length };
  });

const filterTexts = {
  type: 'Only this type.',
  state: 'State of the payment.',
  attributed: 'Credited to a person, or not.',
  webinarId: 'Only credited to this webinar.',
  interactionId: 'Only credited to this offer.',
  email: 'E-mail address of the buyer.',
};

export const revenueTools: readonly ToolDefinition[] = [
  {
    name: 'list_revenue_events',
    procedure: 'revenue.list',
    title: 'List purchases and refunds',
    description:
      'Finds purchases, refunds and chargebacks, newest first, with the webinar, offer and attendee that they are credited to. ' +
      'Amounts are in minor units, such as cents.',
    texts: filterTexts,
    hiddenArguments: ['source'],
    output: page(withUntrusted(event, buyer)),
  },
  {
    name: 'get_revenue_event',
    procedure: 'revenue.get',
    title: 'Explain the credit of a purchase',
    description:
      'Reads one purchase, refund or chargeback, and why a webinar and an attendee got its credit, or why none did.',
    output: one(withUntrusted(event, { ...buyer, explanation: z.array(text) })),
  },
  {
    name: 'get_revenue_summary',
    procedure: 'revenue.summary',
    title: 'Get sums of revenue',
    description:
      'Sums revenue in total and in at most 20 groups. Days are in the time zone of the workspace. Never add currencies together.',
    texts: {
      from: 'The first day, such as 2030-01-15, or a time.',
      to: 'The last day, or a time.',
      webinarId: 'Only of this webinar.',
      currency: 'Such as `EUR`.',
      by: 'Default: day.',
    },
    output: one(Summary),
  },
];
