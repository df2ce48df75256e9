import { allSurfaces } from '@service/catalogue';
import {
  dataOf,
  id,
  instant,
  KeyCreatorOutput,
  moment,
  pageInput,
  pageOf,
  text,
  utcOffsetMinutes,
} from '@service/trpc';
import { z } from 'zod';
import { credentialKinds } from './entities.ts';

const callFilter = {
  surface: z.enum(allSurfaces).optional(),
  range: z
    .enum(['last_hour', 'last_24_hours', 'last_7_days', 'last_30_days', 'last_90_days'])
    .default('last_24_hours'),
  /** `from` and `to` override the range. */
  from: moment.optional(),
  to: moment.optional(),
  /** The id of a key or of a grant. */
  keyId: id('credential').optional(),
  /** A status below 400 is a success. */
  status: z.enum(['success', 'failure']).optional(),
  requestId: text(100).optional(),
  /** Only calls that were refused with this code. */
  errorCode: z
    .string()
    .regex(/^[a-z_]{1,60}$/)
    .optional(),
};

const CallFilter = z.object(callFilter);
export type CallFilter = z.output<typeof CallFilter>;

const endsAfterItBegins = ({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean =>
  from === undefined || to === undefined || Date.parse(from) < Date.parse(to);

const backwards = { error: 'Must be after `from`.', path: ['to'] };

export const ListCallsInput = z
  .strictObject({ ...callFilter, ...pageInput })
  .refine(endsAfterItBegins, backwards);

export const HistogramInput = z
  .strictObject({
    ...callFilter,
    utcOffsetMinutes,
  })
  .refine(endsAfterItBegins, backwards);

export type HistogramInput = z.output<typeof HistogramInput>;

const CallOutput = z.object({
  id: z.uuid(),
  surface: z.enum(allSurfaces),
  at: instant(),
  status: z.number().int(),
  method: z.string().nullable(),
  path: z.string().nullable(),
  tool: z.string().nullable(),
  replayed: z.boolean(),
  keyId: z.uuid(),
  keyLabel: z.string(),
  durationMs: z.number().int(),
  requestId: z.string(),
  /** Null for a success, and for calls before 22 November 2026. */
  errorCode: z.string().nullable(),
  /** The paths of refused fields, at most 20. Their values are not kept. */
  refusedFields: z.array(z.string()),
  userAgent: z.string().nullable(),
  /** The address of the client. */
  address: z.string().nullable(),
  /** The `Idempotency-Key` of the call. */
  idempotencyKey: z.string().nullable(),
});

export type CallOutput = z.input<typeof CallOutput>;

export const ListCallsOutput = pageOf(CallOutput);

export const HistogramOutput = dataOf(
  z.object({
    /** The width of each bar. */
    seconds: z.number().int(),
    /** Oldest first, without gaps. */
    bars: z.array(z.object({ from: instant(), success: z.number().int(), failure: z.number().int() })),
  }),
);

export const ListKeysOutput = dataOf(
  z.array(
    z.object({
      id: z.uuid(),
      label: z.string(),
      /** The member who created the key or gave the grant. */
      createdBy: KeyCreatorOutput,
      kind: z.enum(credentialKinds),
    }),
  ),
);
