// Each route takes one flat object. Rules that depend on the type are checked over the whole object, in addition to its fields,
// so that an error lists all problems at once.
import { id, pageInput } from '@service/trpc/fields';
import { z } from 'zod';
import { interactionTypes, type InteractionType } from '../entities/enums.ts';
import { addProblems, besideFieldProblems } from './add-problems.ts';
import { namingTypes, withDefaults } from './derive-fields.ts';
import { exampleByType } from './examples.ts';
import {
  anyTypeFields,
  commonDefaults,
  commonFields,
  typeDefaults,
  typeFields,
} from './interaction-fields.ts';
import type { InteractionFields } from './problems-of.ts';

const webinarId = id('webinar');

export const InteractionInput = z.strictObject({ webinarId, interactionId: id('interaction') });

const interactionType = z.enum(interactionTypes).meta({ id: 'InteractionType' });

const listFields = { webinarId, enabled: z.boolean().optional(), ...pageInput };

export const ListInteractionsInput = z.strictObject({
  ...listFields,
  type: interactionType.optional(),
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
};

export const updateInputs: Readonly<Record<InteractionType, z.ZodType<UpdateByType>>> = {
  offer: updateOf('UpdateOfferInput', { ...commonFields, ...typeFields.offer }),
  cta: updateOf('UpdateCtaInput', { ...commonFields, ...typeFields.cta }),
  poll: updateOf('UpdatePollInput', { ...commonFields, ...typeFields.poll }),
  handout: updateOf('UpdateHandoutInput', { ...commonFields, ...typeFields.handout }),
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
    .refine((input) => Object.keys(input).length > Object.keys(InteractionInput.shape).length, {
      path: ['body'],
      message: 'Give at least one field to change.',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ id: name, examples: [{ enabled: false }] });
}
