import { instant } from '@service/trpc';
import { z } from 'zod';
import { operators } from '../condition/condition.ts';
import { interactionDisplays, pollResults, type InteractionType } from './interaction.ts';

export const ConditionOutput = z.object({
  field: z.string(),
  operator: z.enum(operators),
  value: z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.array(z.string()),
    z.object({ interactionId: z.string(), optionId: z.string() }),
  ]),
});

const commonOutput = {
  id: z.uuid(),
  webinarId: z.uuid(),
  segmentId: z.uuid().nullable(),
  internalName: z.string(),
  headline: z.string(),
  body: z
    .string()
    .nullable()
    .meta({ examples: ['Everything in the course, for good.'] }),
  showAtSeconds: z.number().int(),
  hideAtSeconds: z.number().int().nullable(),
  enabled: z.boolean(),
  availableInReplay: z.boolean(),
  display: z.enum(interactionDisplays),
  dismissible: z.boolean(),
  showWhen: z.array(ConditionOutput),
  createdAt: instant(),
  updatedAt: instant(),
};

const OfferOutput = z
  .object({
    type: z.literal('offer'),
    ...commonOutput,
    url: z.string(),
    buttonLabel: z.string(),
    priceMinor: z.number().int().nullable(),
    currency: z.string().nullable(),
    imageUrl: z.string().nullable(),
    productRefs: z.array(z.string()),
    couponCode: z.string().nullable(),
    countdownSeconds: z.number().int().nullable(),
  })
  .meta({ id: 'Offer' });

const CtaOutput = z
  .object({
    type: z.literal('cta'),
    ...commonOutput,
    url: z.string(),
    buttonLabel: z.string(),
  })
  .meta({ id: 'Cta' });

const PollOutput = z
  .object({
    type: z.literal('poll'),
    ...commonOutput,
    options: z.array(z.object({ id: z.string(), label: z.string() })),
    multiple: z.boolean(),
    results: z.enum(pollResults),
  })
  .meta({ id: 'Poll' });

const HandoutOutput = z
  .object({
    type: z.literal('handout'),
    ...commonOutput,
    url: z.string(),
    fileName: z.string(),
  })
  .meta({ id: 'Handout' });

/** Flat, and `type` says which of the four it is. */
export const InteractionOutput = z
  .discriminatedUnion('type', [OfferOutput, CtaOutput, PollOutput, HandoutOutput])
  .meta({ id: 'Interaction' });

export type InteractionView = z.output<typeof InteractionOutput>;

export const outputs: Readonly<Record<InteractionType, z.ZodType<InteractionView, InteractionView>>> = {
  offer: OfferOutput,
  cta: CtaOutput,
  poll: PollOutput,
  handout: HandoutOutput,
};

export const ResponseOutput = z.object({
  id: z.uuid(),
  registrationId: z.uuid(),
  sessionId: z.uuid(),
  optionId: z.string().nullable().describe('What was chosen; null for a click.'),
  selectedOption: z.string().nullable().describe('The label the option had then; null for a click.'),
  answeredAt: instant().describe('When the attendee answered or clicked.'),
});

export const StatsOutput = z.object({
  views: z.number().int().describe('Number of registrations that saw it, as their players reported.'),
  clicks: z.number().int(),
  uniqueClickers: z.number().int().describe('Registrations that clicked at least once.'),
  responses: z.number().int().describe('Answers to the poll, of options that were removed since too.'),
  options: z
    .array(z.object({ id: z.string(), label: z.string(), count: z.number().int() }))
    .describe('Answers for each option of a poll; empty for other types.'),
});
