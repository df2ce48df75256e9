import { instant } from '@service/trpc';
import { z } from 'zod';
import { ConditionOutput } from '../condition/condition.ts';
import type { InteractionType } from '../entities/enums.ts';
import { interactionDisplay, pollResultsVisibility } from './interaction-fields.ts';

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
  display: interactionDisplay,
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
    options: z.array(z.object({ id: z.string(), label: z.string() }).meta({ id: 'PollOption' })),
    multiple: z.boolean(),
    results: pollResultsVisibility,
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

/** One flat object. `type` is the discriminator. */
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
