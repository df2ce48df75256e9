// Each route takes one flat object. Rules that depend on the type are checked over the whole object, in addition to its fields,
// so that an error lists all problems at once.
import { id, instant, pageInput } from '@service/trpc/fields';
import { z } from 'zod';
import { type InteractionType, interactionTypes } from '../entities/enums.ts';
import { besideFieldProblems, mapFields, namesChanges, needsChanges, withDefaults } from '../field-inputs.ts';
import { ConditionOutput } from '@service/conditions';
import type { Interaction } from '../entities/interaction.ts';
import { addProblems } from './problems-of.ts';
import {
  anyTypeFields,
  commonDefaults,
  commonFields,
  interactionDisplay,
  type InteractionFields,
  joinFields,
  pollResultsVisibility,
  typeDefaults,
  typeFields,
} from './interaction-fields.ts';

/** Example bodies for the API reference. */
const exampleByType: Readonly<Record<InteractionType, Record<string, unknown>>> = {
  offer: {
    internalName: 'Launch discount',
    headline: '20 % off until midnight',
    showAtSeconds: 1800,
    url: 'https://example.com/checkout',
    buttonLabel: 'Get the discount',
    priceMinor: 7900,
    currency: 'EUR',
    countdownSeconds: 600,
  },
  cta: {
    internalName: 'Book a call',
    headline: 'Questions? Talk to us',
    showAtSeconds: 2400,
    url: 'https://example.com/call',
    buttonLabel: 'Book a call',
  },
  poll: {
    internalName: 'Team size',
    headline: 'How large is your team?',
    showAtSeconds: 300,
    hideAtSeconds: 420,
    options: [
      { id: 'small', label: 'Up to 10' },
      { id: 'large', label: 'More than 10' },
    ],
  },
  handout: {
    internalName: 'Slides',
    headline: 'The slides of this webinar',
    showAtSeconds: 60,
    url: 'https://example.com/slides.pdf',
    fileName: 'slides.pdf',
  },
  chat: {
    internalName: 'First question',
    headline: 'Is there a recording?',
    showAtSeconds: 90,
    authorName: 'Sam',
  },
};

const webinarId = id('webinar');

export const InteractionInput = z.strictObject({ webinarId, interactionId: id('interaction') });

export const interactionType = z.enum(interactionTypes).meta({
  id: 'InteractionType',
  description: '`cta` is a call to action. `chat` is a chat message that is shown at a time.',
});

const listFields = {
  webinarId,
  enabled: z.boolean().optional().describe('Only those that are switched on (`true`) or off (`false`).'),
  ...pageInput,
};

export const ListInteractionsInput = z.strictObject({
  ...listFields,
  type: interactionType.optional().describe('Only interactions of this type.'),
});

export const ListByTypeInput = z.strictObject(listFields);

const newCommonFields = withDefaults(commonFields, commonDefaults);

export const CreateInteractionInput = z
  .strictObject({
    webinarId,
    type: interactionType,
    ...newCommonFields,
    ...z.object(namingTypes(anyTypeFields)).partial().shape,
  })
  .superRefine((input, ctx) => addProblems(input.type, input, ctx), besideFieldProblems)
  .meta({ id: 'CreateInteractionInput', examples: [{ type: 'offer', ...exampleByType.offer }] });

export const UpdateInteractionInput = updateOf('UpdateInteractionInput', {
  ...commonFields,
  ...namingTypes(anyTypeFields),
});

interface CreateByType extends InteractionFields {
  webinarId: string;
}

interface UpdateByType extends Partial<InteractionFields>, z.output<typeof InteractionInput> {}

/** Bodies of the routes of one type. They accept neither `type` nor the fields of other types. */
export const createInputs: Readonly<Record<InteractionType, z.ZodType<CreateByType>>> = {
  offer: createOf('offer', 'CreateOfferInput'),
  cta: createOf('cta', 'CreateCtaInput'),
  poll: createOf('poll', 'CreatePollInput'),
  handout: createOf('handout', 'CreateHandoutInput'),
  chat: createOf('chat', 'CreateChatInteractionInput'),
};

export const updateInputs: Readonly<Record<InteractionType, z.ZodType<UpdateByType>>> = {
  offer: updateOf('UpdateOfferInput', { ...commonFields, ...typeFields.offer }),
  cta: updateOf('UpdateCtaInput', { ...commonFields, ...typeFields.cta }),
  poll: updateOf('UpdatePollInput', { ...commonFields, ...typeFields.poll }),
  handout: updateOf('UpdateHandoutInput', { ...commonFields, ...typeFields.handout }),
  chat: updateOf('UpdateChatInteractionInput', { ...commonFields, ...typeFields.chat }),
};

function createOf(type: InteractionType, name: string) {
  const fields = withDefaults<z.ZodRawShape, object>(typeFields[type], typeDefaults[type]);
  return z
    .strictObject({ webinarId, ...newCommonFields, ...fields })
    .superRefine((input, ctx) => addProblems(type, input, ctx), besideFieldProblems)
    .meta({ id: name, examples: [exampleByType[type]] }) as z.ZodType as z.ZodType<CreateByType>;
}

/** At least one field. The result is checked when the stored fields are loaded. */
function updateOf<Fields extends z.ZodRawShape>(name: string, fields: Fields) {
  return z
    .strictObject({ ...InteractionInput.shape, ...z.object(fields).partial().shape })
    .refine(namesChanges, needsChanges)
    .meta({ id: name, examples: [{ enabled: false }] });
}

/** Adds to each description the types that have the field. */
function namingTypes<Fields extends z.ZodRawShape>(fields: Fields): Fields {
  return mapFields(fields, (schema, name) => {
    const types = interactionTypes.filter((type) => name in typeFields[type]);
    return schema.describe([`Only for: ${types.join(', ')}.`, schema.description].filter(Boolean).join(' '));
  }) as Fields;
}

/** The fields of an answer, with the descriptions that they have in a request. */
function describedAs<Fields extends z.ZodRawShape>(inputs: z.ZodRawShape, fields: Fields): Fields {
  return mapFields(fields, (schema, name) => {
    const { description } = (inputs[name] ?? schema) as z.ZodType;
    return description === undefined ? schema : schema.describe(description);
  }) as Fields;
}

const typeOf = <Type extends InteractionType>(type: Type) =>
  z.literal(type).describe('The type of the interaction.');

const commonOutput = describedAs(commonFields, {
  id: id('interaction'),
  webinarId: id('webinar'),
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
});

const OfferOutput = z
  .object({
    type: typeOf('offer'),
    ...commonOutput,
    ...describedAs(typeFields.offer, {
      url: z.string(),
      buttonLabel: z.string(),
      priceMinor: z.number().int().nullable(),
      currency: z.string().nullable(),
      imageUrl: z.string().nullable(),
      productRefs: z.array(z.string()),
      couponCode: z.string().nullable(),
      countdownSeconds: z.number().int().nullable(),
    }),
  })
  .meta({ id: 'Offer' });

const CtaOutput = z
  .object({
    type: typeOf('cta'),
    ...commonOutput,
    ...describedAs(typeFields.cta, { url: z.string(), buttonLabel: z.string() }),
  })
  .meta({ id: 'Cta' });

const PollOptionOutput = z
  .object({
    id: z.string().describe('The id of the option.'),
    label: z.string().describe('Text of the option.'),
  })
  .meta({ id: 'PollOption' });

const PollOutput = z
  .object({
    type: typeOf('poll'),
    ...commonOutput,
    ...describedAs(typeFields.poll, {
      options: z.array(PollOptionOutput),
      multiple: z.boolean(),
      results: pollResultsVisibility,
    }),
  })
  .meta({ id: 'Poll' });

const HandoutOutput = z
  .object({
    type: typeOf('handout'),
    ...commonOutput,
    ...describedAs(typeFields.handout, { url: z.string(), fileName: z.string() }),
  })
  .meta({ id: 'Handout' });

const ChatOutput = z
  .object({
    type: typeOf('chat'),
    ...commonOutput,
    ...describedAs(typeFields.chat, { authorName: z.string() }),
  })
  .meta({ id: 'ChatInteraction' });

/** One flat object. `type` is the discriminator. */
export const InteractionOutput = z
  .discriminatedUnion('type', [OfferOutput, CtaOutput, PollOutput, HandoutOutput, ChatOutput])
  .meta({ id: 'Interaction' });

type InteractionView = z.output<typeof InteractionOutput>;

export const outputs: Readonly<Record<InteractionType, z.ZodType<InteractionView, InteractionView>>> = {
  offer: OfferOutput,
  cta: CtaOutput,
  poll: PollOutput,
  handout: HandoutOutput,
  chat: ChatOutput,
};

export const interactionToOutput = (interaction: Interaction): InteractionView =>
  ({
    id: interaction.id,
    webinarId: interaction.webinarId,
    type: interaction.type,
    ...joinFields(interaction),
    createdAt: interaction.createdAt.toISOString(),
    updatedAt: interaction.updatedAt.toISOString(),
  }) as InteractionView;
