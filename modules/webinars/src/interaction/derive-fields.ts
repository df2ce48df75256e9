import type { z } from 'zod';
import { interactionTypes } from '../entities/enums.ts';
import { typeFields } from './interaction-fields.ts';

type Defaulted<Fields, Defaults> = {
  [Name in keyof Fields]: Name extends keyof Defaults
    ? Fields[Name] extends z.ZodType
      ? z.ZodDefault<Fields[Name]>
      : never
    : Fields[Name];
};

/** Fields of a create call: a field with a default is optional. */
export function withDefaults<Fields extends z.ZodRawShape, Defaults extends object>(
  fields: Fields,
  defaults: Defaults,
): Defaulted<Fields, Defaults> {
  return mapFields(fields, (schema, name) =>
    name in defaults ? schema.default((defaults as Record<string, unknown>)[name]) : schema,
  ) as Defaulted<Fields, Defaults>;
}

/** Adds to each description the types that have the field. */
export function namingTypes<Fields extends z.ZodRawShape>(fields: Fields): Fields {
  return mapFields(fields, (schema, name) => {
    const types = interactionTypes.filter((type) => name in typeFields[type]);
    return schema.describe([`Only for: ${types.join(', ')}.`, schema.description].filter(Boolean).join(' '));
  }) as Fields;
}

const mapFields = (
  fields: z.ZodRawShape,
  change: (schema: z.ZodType, name: string) => z.ZodType,
): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, change(schema as z.ZodType, name)]),
  );
