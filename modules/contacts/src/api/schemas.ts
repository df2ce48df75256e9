import { SyncSettings, syncFieldNames, syncTagNames } from '@service/connections';
import { id, instant, pageInput } from '@service/trpc';
import { z } from 'zod';
import { runStatuses, sendOutcomes } from '../entities.ts';

const sendOutcome = z
  .enum(sendOutcomes)
  .meta({ id: 'ContactSendOutcome' })
  .describe(
    '`done`: the tool has it. `left`: the person has left there, and only the person can come back. `person_refused`: the tool does not ' +
      'take the address. `skipped`: there was nothing to send. `later`, `not_allowed`, `credential_refused`: it is tried again. `parked`: ' +
      'all attempts have failed, and it is tried once an hour. `expired`: it has waited for 30 days.',
  );

export const ListSendsInput = z.strictObject({
  connectionId: id('connection'),
  registrationId: id('registration')
    .optional()
    .describe('Only the sends about the person of this registration.'),
  outcome: sendOutcome.optional(),
  ...pageInput,
});

export const ListSendsOfRegistrationInput = z.strictObject({
  webinarId: id('webinar'),
  registrationId: id('registration'),
  /** Only the sends for this execution of a rule. */
  executionId: id('execution').optional(),
  ...pageInput,
});

export const ContactSendOutput = z
  .object({
    id: id('send'),
    connectionId: id('connection'),
    registrationId: id('registration')
      .nullable()
      .describe(
        'The registration of the last change that was sent. Null if the change was of no registration.',
      ),
    contact: z
      .string()
      .nullable()
      .describe(
        'The e-mail address. For the erasure of a person, it is `erased:` and a hash of the address. Null without the scope `registrations:read`.',
      ),
    at: instant(),
    outcome: sendOutcome,
    reason: z
      .string()
      .nullable()
      .describe(
        'The tool’s own words, and the parts that it did not take. Null without the scope `registrations:read`.',
      ),
    calls: z.array(z.string()).describe('The calls, in their order.'),
    status: z.number().int().nullable().describe('The HTTP status of the last answer.'),
    durationMs: z.number().int().describe('Duration of the calls in milliseconds.'),
    fields: z.array(z.string()).describe('The fields that were sent.'),
    bodyHash: z.string().nullable().describe('SHA-256 of the requests, hexadecimal.'),
    values: z
      .record(z.string(), z.unknown())
      .meta({ id: 'ContactSendValues' })
      .nullable()
      .describe(
        'The values of the fields and events. Kept for a week. Null without the scopes `registrations:read` and `revenue:read`.',
      ),
    causes: z
      .array(z.uuid())
      .describe(
        'The ids of the events, executions and calls of a member that it was sent for, 20 at most, or of the erasure.',
      ),
  })
  .meta({ id: 'ContactSend' });

export const ConnectionRunsInput = z.strictObject({ connectionId: id('connection') });

export const CancelRunInput = z.strictObject({ connectionId: id('connection'), runId: id('run') });

export const ContactRunOutput = z
  .object({
    id: id('run'),
    connectionId: id('connection'),
    status: z
      .enum(runStatuses)
      .meta({ id: 'ContactRunStatus' })
      .describe('`done`: everyone was sent. `cancelled`: those who were not begun are left out.'),
    total: z.number().int().describe('The people at the start.'),
    sent: z.number().int().describe('The people who were sent, or whom the tool has refused.'),
    leftOut: z.number().int().describe('The people whose turn is over and whom the settings leave out.'),
    startedAt: instant(),
    endedAt: instant().nullable().describe('The time at which the run ended. Null while it runs.'),
  })
  .meta({ id: 'ContactRun' });

export const PreviewInput = z.strictObject({
  connectionId: id('connection'),
  /** They need not be saved. */
  sync: SyncSettings,
});

const value = z.union([z.string(), z.number(), z.boolean()]);

/** One of the latest registrants. */
export const PreviewedPerson = z.object({
  registrationId: z.uuid(),
  name: z.string(),
  email: z.string(),
  /** All values and tags of the person, also those that the settings do not send. */
  values: z.partialRecord(z.enum(syncFieldNames), value),
  tags: z.array(z.enum(syncTagNames)),
  /** Without secrets. A later request may need an answer first: its value then stands in braces. Empty: the person is left out. */
  requests: z.array(
    z.object({
      name: z.string(),
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.unknown().describe('JSON. Null: the request has no body.'),
    }),
  ),
});

export const SendNowInput = z.strictObject({
  connectionId: id('connection'),
  registrationId: id('registration'),
});
