import { batchOf, id, instant, pageInput } from '@service/trpc';
import { moment } from '@service/webinars';
import { z } from 'zod';
import { RegistrantAttendanceOutput } from '../attendance/read-attendances.ts';
import { registrationSources, registrationStatuses } from '../entities/registration.ts';
import { email, registrantFields } from './registrant-input.ts';

const batchMax = 500;

export const CreateRegistrationInput = z.strictObject({ webinarId: id('webinar'), ...registrantFields });

export const RegistrantRow = z.strictObject(registrantFields);

// A row that is refused must not refuse the others, so rows are read one by one later and only described here.
const { $schema: _dialect, ...rowDescription } = z.toJSONSchema(RegistrantRow, { io: 'input' });
const describedRow = z.unknown().meta(rowDescription);

export const BulkRegisterInput = z.strictObject({
  webinarId: id('webinar'),
  registrations: z.array(describedRow).min(1, 'Give at least one.').max(batchMax, `At most ${batchMax}.`),
});

export const ListRegistrationsInput = z.strictObject({
  webinarId: id('webinar'),
  email: email.describe('This address, in any case.').optional(),
  sessionId: id('session').optional(),
  status: z.enum(registrationStatuses).optional(),
  registeredFrom: moment.describe('Registered at this moment or later, ISO 8601.').optional(),
  registeredTo: moment.describe('Registered before this moment, ISO 8601.').optional(),
  ...pageInput,
});

export const RegistrationInput = z.strictObject({
  webinarId: id('webinar'),
  registrationId: id('registration'),
});

export const ListEventsInput = z.strictObject({ ...RegistrationInput.shape, ...pageInput });

const nullableText = () => z.string().nullable();

export const RegistrationOutput = z.object({
  id: z.uuid(),
  webinarId: z.uuid(),
  sessionId: z.uuid(),
  name: z.string(),
  email: z.string(),
  phone: nullableText(),
  timezone: nullableText(),
  locale: nullableText(),
  sessionTime: instant(),
  status: z.enum(registrationStatuses).describe('Whether they came. One that is cancelled stays so.'),
  joinUrl: z.url().describe('Where this person joins. Whoever has it is them.'),
  tokenVersion: z.number().int().describe('Counts how often the join link was made anew.'),
  customFields: z.record(z.string(), z.string()),
  utm: z.object({
    source: nullableText(),
    medium: nullableText(),
    campaign: nullableText(),
    term: nullableText(),
    content: nullableText(),
  }),
  referrer: nullableText(),
  source: z.enum(registrationSources).describe('What it was made by.'),
  metadata: z.record(z.string(), z.string()),
  registeredAt: instant(),
  cancelledAt: instant().nullable(),
  attendance: RegistrantAttendanceOutput.nullable().describe('Null until they come for the first time.'),
});

export const BulkRegisterOutput = batchOf(
  z.object({
    index: z.number().int().describe('The place of the row in the request, from 0.'),
    status: z.enum(['created', 'existing', 'error']),
    registration: RegistrationOutput.optional(),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
        details: z.record(z.string(), z.unknown()).optional(),
      })
      .optional(),
  }),
  z.object({
    created: z.number().int(),
    existing: z.number().int(),
    failed: z.number().int(),
  }),
);

export const EventOutput = z.object({
  id: z.uuid(),
  type: z.string().describe('`registered`, `joined` and so on.'),
  occurredAt: instant(),
  data: z.record(z.string(), z.unknown()),
});
