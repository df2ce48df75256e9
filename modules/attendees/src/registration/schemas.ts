import { batchOf, ErrorIssue, id, instant, pageInput, sortOrder, text } from '@service/trpc';
import { moment } from '@service/webinars';
import { z } from 'zod';
import { RegistrantAttendanceOutput } from '../attendance/read-attendances.ts';
import { registrationSources, registrationStatuses } from '../entities/registration.ts';
import { email, registrantFields, RegistrantRow } from './registrant-input.ts';
import { RegistrationRevenue } from './revenue-reader.ts';

const batchMax = 500;

const registrationStatus = z.enum(registrationStatuses).meta({
  id: 'RegistrationStatus',
  description:
    '`attending` while the attendee is in the room, `attended` afterwards, `no_show` if they did not attend. `cancelled` is final.',
});

const registrationSource = z
  .enum(registrationSources)
  .meta({ id: 'RegistrationSource', description: 'How the registration was made.' });

export const CreateRegistrationInput = z
  .strictObject({ webinarId: id('webinar'), ...registrantFields })
  .meta({ id: 'CreateRegistrationInput' });

// A refused row must not refuse the others. So rows are parsed one by one later, and the schema here only describes them. The
// schemas that it names are defined by CreateRegistrationInput.
const {
  $schema: _dialect,
  $defs: _named,
  ...rowDescription
} = z.toJSONSchema(RegistrantRow, { io: 'input' });
const describedRow = z.unknown().meta({ id: 'RegistrantInput', ...rowDescription });

export const BulkRegisterInput = z
  .strictObject({
    webinarId: id('webinar'),
    registrations: z.array(describedRow).min(1, 'Give at least one.').max(batchMax, `At most ${batchMax}.`),
  })
  .meta({ id: 'BulkRegisterInput' });

const filters = {
  webinarId: id('webinar'),
  q: text(200)
    .describe(
      'Only registrations in which each of these words begins a word of the name or of the e-mail address, or the whole ' +
        'address. Case is ignored.',
    )
    .optional(),
  email: email.describe('Only registrations with this e-mail address. Case is ignored.').optional(),
  sessionId: id('session').optional(),
  status: registrationStatus.optional(),
  source: registrationSource.optional(),
  registeredFrom: moment.describe('Only registrations made at this time or later, ISO 8601.').optional(),
  registeredTo: moment.describe('Only registrations made before this time, ISO 8601.').optional(),
  clickedInteractionId: id('interaction')
    .describe(
      'Only registrations whose attendee has clicked this offer or CTA, or has downloaded this handout.',
    )
    .optional(),
  purchased: z
    .boolean()
    .describe(
      'Only registrations to which a purchase is credited (`true`) or none is (`false`). Only for keys with the scope ' +
        '`revenue:read`.',
    )
    .optional(),
};

export const ListRegistrationsInput = z.strictObject({
  ...filters,
  order: sortOrder.optional(),
  ...pageInput,
});

/** The filters of the list. */
export const CountRegistrationsInput = z.strictObject(filters);

export const RegistrationCountOutput = z.object({
  total: z.number().int(),
  isMore: z.boolean().describe('True if there are more than `total`.'),
});

export const RegistrationInput = z.strictObject({
  webinarId: id('webinar'),
  registrationId: id('registration'),
});

export const MoveRegistrationInput = z
  .strictObject({
    ...RegistrationInput.shape,
    sessionTime: moment.describe('Start of the session to move to, ISO 8601.'),
  })
  .meta({ id: 'MoveRegistrationInput' });

export const ErasePersonInput = z.strictObject({ email });

export const ErasePersonOutput = z.object({
  data: z.object({ registrations: z.int().describe('Registrations that were deleted.') }),
});

/** A page of sessions of the dashboard. */
export const SessionCountsInput = z.strictObject({
  webinarId: id('webinar'),
  sessionIds: z.array(id('session')).min(1).max(100),
});

const count = () => z.number().int();

export const SessionCountsOutput = z.object({
  sessionId: z.uuid(),
  registered: count(),
  attending: count(),
  attended: count(),
  noShow: count(),
  cancelled: count(),
  inRoom: count().describe('Attendees whose page sends heartbeats now.'),
});

export const ListEventsInput = z.strictObject({ ...RegistrationInput.shape, ...pageInput });

const nullableText = () => z.string().nullable();

const UtmOutput = z
  .object({
    source: nullableText(),
    medium: nullableText(),
    campaign: nullableText(),
    term: nullableText(),
    content: nullableText(),
  })
  .meta({ id: 'Utm' });

const ConsentOutput = z
  .object({
    given: z.boolean(),
    text: nullableText().describe('The text that the person saw. Null if it is not known.'),
    at: instant(),
  })
  .meta({ id: 'Consent' });

export const RegistrationOutput = z
  .object({
    id: z.uuid(),
    webinarId: z.uuid(),
    sessionId: z.uuid(),
    name: z.string(),
    email: z.string(),
    phone: nullableText(),
    timezone: nullableText(),
    locale: nullableText(),
    sessionTime: instant(),
    status: registrationStatus,
    joinUrl: z
      .url()
      .describe('Personal join link. Anyone who has it joins as this attendee, so treat it as a secret.'),
    tokenVersion: z
      .number()
      .int()
      .describe('Version of the join link. Starts at 1 and grows by 1 each time the link is rotated.'),
    customFields: z.record(z.string(), z.string()),
    utm: UtmOutput,
    referrer: nullableText(),
    source: registrationSource,
    metadata: z.record(z.string(), z.string()),
    consent: ConsentOutput.nullable().describe('Answer to the consent text. Null if it was not asked.'),
    registeredAt: instant(),
    cancelledAt: instant().nullable(),
    attendance: RegistrantAttendanceOutput.nullable().describe(
      'Null until the attendee opens the room for the first time.',
    ),
    revenue: z
      .array(RegistrationRevenue)
      .optional()
      .describe(
        'The net revenue that is credited to this registration, one entry for each currency. Only for keys with the scope ' +
          '`revenue:read`; left out for others.',
      ),
  })
  .meta({ id: 'Registration' });

const RowError = z
  .object({
    code: z.string(),
    message: z.string(),
    issues: z.array(ErrorIssue).optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'BulkRegisterRefusal' });

export const BulkRegisterOutput = batchOf(
  z
    .object({
      index: z.number().int().describe('Position of the row in the request, from 0.'),
      status: z.enum(['created', 'existing', 'error']).meta({ id: 'BulkRegisterStatus' }),
      registration: RegistrationOutput.optional(),
      error: RowError.optional(),
    })
    .meta({ id: 'BulkRegisterResult' }),
  z
    .object({ created: z.number().int(), existing: z.number().int(), failed: z.number().int() })
    .meta({ id: 'BulkRegisterSummary' }),
);

export const EventOutput = z
  .object({
    id: z.uuid(),
    type: z.string().describe('Event type such as `registered` or `joined`.'),
    occurredAt: instant(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'TimelineEvent' });

export const RegistrationsByIdsInput = z.strictObject({ ids: z.array(id('registration')).max(100) });

/** The person of a registration. */
export const RegistrantOutput = z.object({
  id: z.uuid(),
  webinarId: z.uuid(),
  name: z.string(),
  email: z.string(),
});
