import { createId } from '@service/database';
import type { Interaction, InteractionDetails, Poll } from '../entities/interaction.ts';
import type { InteractionType } from '../entities/enums.ts';
import { commonFields, typeDefaults, typeFields } from './interaction-fields.ts';
import type { InteractionFields } from './problems-of.ts';

type CommonFields = Pick<Interaction, keyof typeof commonFields>;

/** Splits input fields into the common columns and the details of the type. Poll options without an id get one. */
export function splitFields(
  type: InteractionType,
  fields: InteractionFields,
): { common: CommonFields; details: InteractionDetails } {
  const details = { ...typeDefaults[type], ...pick(fields, Object.keys(typeFields[type])) };
  if (fields.options)
    Object.assign(details, {
      options: fields.options.map(({ id = createId(), label }) => ({ id, label })),
    } satisfies Pick<Poll, 'options'>);
  return {
    common: pick(fields, Object.keys(commonFields)) as CommonFields,
    details: details as InteractionDetails,
  };
}

/** The fields of an interaction as one flat object, as callers know them. */
export const joinFields = (interaction: Interaction): InteractionFields =>
  ({
    ...pick(interaction, Object.keys(commonFields)),
    ...interaction.details,
  }) as InteractionFields;

const pick = (from: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.filter((name) => name in from).map((name) => [name, (from as Record<string, unknown>)[name]]),
  );
