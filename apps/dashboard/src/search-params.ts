// Kinds of search parameters that pages keep in the URL. A parameter that is not valid is dropped, since people edit URLs by hand.
import * as z from 'zod/mini';
import { catch as withFallback } from 'zod/mini';

export const optional = <Schema extends z.core.$ZodType>(schema: Schema) => {
  type Optional = z.ZodMiniOptional<Schema>;
  return withFallback<Optional>(z.optional(schema), undefined as z.output<Optional>);
};

export const text = optional(z.string().check(z.minLength(1)));
export const flag = optional(z.literal(true));

export const moment = optional(
  z.pipe(
    z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value)))),
    z.transform((value) => new Date(value).toISOString()),
  ),
);

/** The router reads a parameter of digits as a number. */
export const word = optional(
  z.pipe(
    z.union([z.string(), z.number()]),
    z.pipe(
      z.transform((value: string | number) => String(value).trim().slice(0, 100)),
      z.string().check(z.minLength(1)),
    ),
  ),
);
