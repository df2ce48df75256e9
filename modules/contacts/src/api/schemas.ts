import { id, instant, pageInput } from '@service/trpc';
import { z } from 'zod';
import { runStatuses, sendOutcomes } from '../entities.ts';

export const ListSendsInput = z.strictObject({
  connectionId: id('connection'),
  registrationId: id('registration')
    .optional()
    .describe('Only the sends about the person of this registration.'),
  ...pageInput,
});

export const ContactSendOutput = z
  .object({
    id: id('send'),
    connectionId: id('connection'),
    registrationId: id('registration')
      .nullable()
      .describe('The registration of the last change that was sent. Null without one.'),
    contact: z
      .string()
      .nullable()
      .describe('The e-mail address. Null without the scope `registrations:read`.'),
    at: instant(),
    outcome: z
      .enum(sendOutcomes)
      .meta({ id: 'ContactSendOutcome' })
      .describe(
        '`done`: the tool has it. `left`: the person has left there, and only the person can come back. `person_refused`: the tool does not ' +
          'take the address. `skipped`: there was nothing to send. `later`, `not_allowed`, `credential_refused`: it is tried again. `parked`: ' +
          'all attempts have failed, and it is tried once an hour. `expired`: it has waited for 30 days.',
      ),
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
      .nullable()
      .describe(
        'The values of the fields and events. Kept for a week. Null without the scopes `registrations:read` and `revenue:read`.',
      ),
    causes: z
      .array(z.uuid())
      .describe('The ids of the events and executions that it was sent for, 20 at most.'),
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
    sent: z.number().int().describe('The people whose turn is over.'),
    startedAt: instant(),
    endedAt: instant().nullable().describe('The time at which the run ended. Null while it runs.'),
  })
  .meta({ id: 'ContactRun' });
