// Search parameters that pages keep in the URL. A parameter that is not valid is dropped, since people edit URLs by hand.
import { allSurfaces } from '@service/catalogue';
import * as z from 'zod/mini';
import { catch as withFallback } from 'zod/mini';
import { deliveryStatuses } from './delivery/delivery-status.ts';

const optional = <Schema extends z.core.$ZodType>(schema: Schema) => {
  type Optional = z.ZodMiniOptional<Schema>;
  return withFallback<Optional>(z.optional(schema), undefined as z.output<Optional>);
};

const text = optional(z.string().check(z.minLength(1)));
const flag = optional(z.literal(true));

export const SignInSearch = z.object({
  /** The page to open after the sign-in. */
  redirect: text,
});

export const WebinarsSearch = z.object({
  /** The create dialog is open. */
  create: flag,
});

export const WebinarSearch = z.object({
  tab: optional(z.enum(['registrations', 'automations'])),
  /** The create dialog that is open. */
  create: optional(z.enum(['registration', 'rule'])),
  /** The delivery, or the rule, whose drawer is open. */
  delivery: text,
  rule: text,
});

export const SourceSearch = z.object({
  /** Filters of the deliveries. */
  status: optional(z.enum(deliveryStatuses)),
  /** An event type. The page drops one that the service does not know. */
  event: optional(z.string().check(z.regex(/^[a-z_]+$/))),
  /** The delivery whose drawer is open. */
  delivery: text,
  /** The dialog that is open. */
  dialog: optional(z.enum(['test', 'recover', 'details'])),
});

export const KeysSearch = z.object({
  create: flag,
  /** The key whose revoke dialog is open. */
  revoke: text,
});

const moment = optional(
  z.pipe(
    z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value)))),
    z.transform((value) => new Date(value).toISOString()),
  ),
);

/** The router reads a parameter of digits as a number. */
const word = optional(
  z.pipe(
    z.union([z.string(), z.number()]),
    z.pipe(
      z.transform((value: string | number) => String(value).trim().slice(0, 100)),
      z.string().check(z.minLength(1)),
    ),
  ),
);

export const ActivitySearch = z.pipe(
  z.object({
    surface: optional(z.enum(allSurfaces)),
    /** The last 24 hours when left out. */
    range: optional(z.enum(['last_hour', 'last_24_hours', 'last_7_days', 'last_30_days', 'last_90_days'])),
    /** A part of the histogram, instead of the range. ISO 8601; both or neither. */
    from: moment,
    to: moment,
    /** Calls of one key. */
    key: optional(z.guid()),
    status: optional(z.enum(['success', 'failure'])),
    /** Calls with this request id. */
    request: word,
  }),
  z.transform(({ from, to, ...others }) => ({
    ...others,
    ...(from !== undefined && to !== undefined && from < to ? { from, to } : {}),
  })),
);

export type WebinarSearch = z.output<typeof WebinarSearch>;
export type SourceSearch = z.output<typeof SourceSearch>;
export type ActivitySearch = z.output<typeof ActivitySearch>;
