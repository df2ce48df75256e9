import {
  dataOf,
  forwards,
  id,
  instant,
  KeyCreatorOutput,
  moment,
  pageInput,
  pageOf,
  SurfaceName,
  text,
  utcOffsetMinutes,
} from '@service/trpc';
import { z } from 'zod';
import { credentialKinds } from './api-call.ts';

const callFilter = {
  surface: SurfaceName.optional().describe('Only calls over this surface.'),
  range: z
    .enum(['last_hour', 'last_24_hours', 'last_7_days', 'last_30_days', 'last_90_days'])
    .meta({ id: 'ActivityRange' })
    .describe('The time before now. `from` and `to` override it.')
    .default('last_24_hours'),
  from: moment.describe('Only calls at this time or later, ISO 8601.').optional(),
  to: moment.describe('Only calls before this time, ISO 8601.').optional(),
  keyId: id('credential').describe('Only calls of this key or connection.').optional(),
  status: z
    .enum(['success', 'failure'])
    .meta({ id: 'ApiCallOutcome' })
    .describe('A status below 400 is a success.')
    .optional(),
  requestId: text(100)
    .describe('Only the calls with this `X-Request-Id`.')
    .meta({ examples: ['3f2b8a6e-5a0e-4a6b-9b64-0f6a4f3d1c52'] })
    .optional(),
  errorCode: z
    .string()
    .regex(/^[a-z_]{1,60}$/)
    .describe('Only calls that were refused with this code.')
    .meta({ examples: ['validation_failed'] })
    .optional(),
};

const CallFilter = z.object(callFilter);
export type CallFilter = z.output<typeof CallFilter>;

export const ListCallsInput = forwards(z.strictObject({ ...callFilter, ...pageInput }));

export const HistogramInput = forwards(z.strictObject({ ...callFilter, utcOffsetMinutes }));

export type HistogramInput = z.output<typeof HistogramInput>;

const CallOutput = z
  .object({
    id: id('call'),
    surface: SurfaceName,
    at: instant(),
    status: z.int().describe('The HTTP status of the answer.'),
    method: z.string().nullable().describe('The method of HTTP or of MCP. Null for a tool.'),
    path: z.string().nullable().describe('Null for a tool.'),
    tool: z.string().nullable().describe('The tool of a call over MCP.'),
    replayed: z.boolean().describe('The call was answered with the kept answer of an earlier one.'),
    keyId: z.uuid().describe('The key or connection.'),
    keyLabel: z.string().describe('The label that the key or connection had at that time.'),
    durationMs: z.int().describe('Milliseconds from the request to its answer.'),
    requestId: z.string().describe('The `X-Request-Id` of the answer.'),
    errorCode: z.string().nullable().describe('Null for a success, and for calls before 22 November 2026.'),
    refusedFields: z
      .array(z.string())
      .describe('The paths of refused fields, at most 20. Their values are not kept.'),
    refusedMessages: z
      .array(z.string())
      .describe(
        'The problem of each of `refusedFields`, in the same order, with … instead of quoted names, variables, addresses, URLs, long words and answers of providers. Empty for calls before 26 November 2026.',
      ),
    userAgent: z.string().nullable().describe('The `User-Agent` of the client. Null if it sent none.'),
    address: z.string().nullable().describe('The address of the client.'),
    idempotencyKey: z.string().nullable().describe('The `Idempotency-Key` of the call.'),
  })
  .meta({ id: 'ApiCall' });

export type CallOutput = z.input<typeof CallOutput>;

export const ListCallsOutput = pageOf(CallOutput);

export const HistogramOutput = dataOf(
  z.object({
    /** The width of each bar. */
    seconds: z.int(),
    /** Oldest first, without gaps. */
    bars: z.array(z.object({ from: instant(), success: z.int(), failure: z.int() })),
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
