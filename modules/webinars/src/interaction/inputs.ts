// Each route takes one flat object. Rules that depend on the type are checked over the whole object, in addition to its fields,
// so that an error lists all problems at once.
import { id, pageInput } from '@service/trpc';
import { z } from 'zod';
import { interactionTypes, type InteractionType } from '../entities/interaction.ts';
import { addProblems, besideFieldProblems } from './add-problems.ts';
import { namingTypes, withDefaults } from './derive-fields.ts';
import { exampleByType } from './examples.ts';
import { anyTypeFields, commonDefaults, commonFields, typeDefaults, typeFields } from './fields.ts';
import type { InteractionFields } from './problems-of.ts';

const webinarId = id('webinar');

export const InteractionInput = z.strictObject({ webinarId, interactionId: id('interaction') });

const listFields = { webinarId, enabled: z.boolean().optional(), ...pageInput };

export const ListInteractionsInput = z.strictObject({
  ...listFields,
  type: z.enum(interactionTypes).optional(),
});

export const ListByTypeInput = z.strictObject(listFields);

const newCommonFields = withDefaults(commonFields, commonDefaults);

export const CreateInteractionInput = z
  .strictObject({
    webinarId,
    type: z.enum(interactionTypes),
    ...newCommonFields,
    ...z.object(namingTypes(anyTypeFields)).partial().shape,
  })
  .superRefine((input, ctx) => addProblems(input.type, input, ctx), besideFieldProblems)
  .meta({ examples: [{ type: 'offer', ...exampleByType.offer }] });

export const UpdateInteractionInput = updateOf({ ...commonFields, ...namingTypes(anyTypeFields) });

interface CreateByType extends InteractionFields {
  webinarId: string;
}

interface UpdateByType extends Partial<InteractionFields>, z.output<typeof InteractionInput> {}

/** Bodies of the routes of one type. They accept neither `type` nor the fields of other types. */
export const createInputs: Readonly<Record<InteractionType, z.ZodType<CreateByType>>> = {
  offer: createOf('offer'),
  cta: createOf('cta'),
  poll: createOf('poll'),
  handout: createOf('handout'),
};

export const updateInputs: Readonly<Record<InteractionType, z.ZodType<UpdateByType>>> = {
  offer: updateOf({ ...commonFields, ...typeFields.offer }),
  cta: updateOf({ ...commonFields, ...typeFields.cta }),
  poll: updateOf({ ...commonFields, ...typeFields.poll }),
  handout: updateOf({ ...commonFields, ...typeFields.handout }),
};

function createOf(type: InteractionType) {
  const fields = withDefaults<z.ZodRawShape, object>(typeFields[type], typeDefaults[type]);
  return z
    .strictObject({ webinarId, ...newCommonFields, ...fields })
    .superRefine((input, ctx) => addProblems(type, input, ctx), besideFieldProblems)
    .meta({ examples: [exampleByType[type]] }) as z.ZodType as z.ZodType<CreateByType>;
}

/** At least one field. The result is checked when the stored fields are loaded. */
function updateOf<Fields extends z.ZodRawShape>(fields: Fields) {
  return z
    .strictObject({ ...InteractionInput.shape, ...z.object(fields).partial().shape })
    .refine((input) => Object.keys(input).length > Object.keys(InteractionInput.shape).length, {
      path: ['body'],
      message: 'Give at least one field to change.',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ examples: [{ enabled: false }] });
}
