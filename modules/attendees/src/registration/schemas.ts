import { batchOf, ErrorIssue, id, instant, pageInput, sortOrder, text } from '@service/trpc';
import { moment, SessionInput, sessionStatus } from '@service/webinars';
import { z } from 'zod';
import { RegistrantAttendanceOutput } from '../attendance/read-attendances.ts';
import { registrationSources, registrationStatuses } from '../entities/registration-sets.ts';
import { email, registrantFields, RegistrantRow } from './registrant-input.ts';
import { RegistrationRevenue } from './revenue-reader.ts';

const batchMax = 500;

/** A row with long texts has 16 kB. */
export const bulkBytesMax = 8 * 1024 * 1024;

const registrationStatus = z.enum(registrationStatuses).meta({
  id: 'RegistrationStatus',
  description:
    '`attending` while the attendee is in the room, `attended` afterwards, `no_show` if they did not attend. `cancelled` is final.',
});

const registrationSource = z
  .enum(registrationSources)
  .meta({ id: 'RegistrationSource', description: 'The way in which the registration was made.' });

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
    registrations: z
      .array(describedRow)
      .min(1, 'Give at least one.')
      .max(batchMax, `At most ${batchMax}.`)
      .describe('The people to register.'),
  })
  .meta({ id: 'BulkRegisterInput' });

const filters = {
  webinarId: id('webinar'),
  q: text(200)
    .describe(
      'Only registrations in which each of these words begins a word of the name or of the e-mail address, or the whole ' +
        'address. Case is ignored.',
    )
    .meta({ examples: ['ada example'] })
    .optional(),
  email: email.describe('Only registrations with this e-mail address. Case is ignored.').optional(),
  sessionId: id('session').optional().describe('Only registrations for this session.'),
  status: registrationStatus.optional().describe('Only registrations with this status.'),
  source: registrationSource.optional().describe('Only registrations from this source.'),
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

export const MovePeopleInput = z.strictObject({
  ...SessionInput.shape,
  sessionTime: moment,
  /** The `next` of the call before. The first registrations of the session when left out. */
  after: id('registration').optional(),
});

export const MovePeopleOutput = z.object({
  moved: z.int().describe('Registrations that have a place in the other session now.'),
  refused: z
    .array(
      z.object({
        registrationId: z.uuid(),
        name: z.string(),
        reason: z.enum(['full', 'registered', 'joined']).meta({
          description:
            '`full`: no place is left. `registered`: the other session has a registration with this address. `joined`: the attendee has joined.',
        }),
      }),
    )
    .describe('Registrations that stay where they are.'),
  next: z.uuid().nullable().describe('Null when all have been read, or no place is left.'),
});

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
const parameter = (name: string) => nullableText().describe(`The URL parameter \`utm_${name}\`.`);

const UtmOutput = z
  .object({
    source: parameter('source'),
    medium: parameter('medium'),
    campaign: parameter('campaign'),
    term: parameter('term'),
    content: parameter('content'),
  })
  .meta({ id: 'Utm', description: 'Campaign that led to the registration.' });

const ConsentOutput = z
  .object({
    given: z.boolean().describe('True if the person agreed.'),
    text: nullableText().describe('The text that the person saw. Null if it is not known.'),
    at: instant(),
  })
  .meta({ id: 'Consent' });

export const RegistrationOutput = z
  .object({
    id: id('registration'),
    webinarId: id('webinar'),
    sessionId: id('session'),
    name: z.string().describe('The name of the attendee.'),
    email: z.string().meta({ description: 'E-mail address, in lower case.', format: 'email' }),
    phone: nullableText().describe('Phone number. Null if none was given.'),
    timezone: nullableText().describe('IANA time zone of the attendee. Null if none was given.'),
    locale: nullableText().describe('Language of the attendee, a BCP 47 tag. Null if none was given.'),
    sessionTime: instant(),
    sessionStatus,
    status: registrationStatus,
    joinUrl: z
      .url()
      .describe('Personal join link. Anyone who has it joins as this attendee, so treat it as a secret.'),
    tokenVersion: z
      .number()
      .int()
      .describe('Version of the join link. Starts at 1 and grows by 1 each time the link is rotated.'),
    customFields: z
      .record(z.string(), z.string())
      .describe('Answers to the registration form, by field key.'),
    utm: UtmOutput,
    referrer: nullableText().describe(
      'URL of the page that led to the registration. Null if none was given.',
    ),
    source: registrationSource,
    metadata: z.record(z.string(), z.string()).describe('Your own data, as you gave it.'),
    consent: ConsentOutput.nullable().describe('Answer to the consent text. Null if it was not asked.'),
    registeredAt: instant(),
    cancelledAt: instant().nullable().describe('The time of the cancellation. Null if it is not cancelled.'),
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
    code: z.string().describe('The code of the error, as in an answer of its own.'),
    message: z.string().describe('The error in words.'),
    issues: z.array(ErrorIssue).optional().describe('Every problem of the row.'),
    details: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Further facts of some errors, such as the nearest session times.'),
  })
  .meta({ id: 'BulkRegisterRefusal' });

export const BulkRegisterOutput = batchOf(
  z
    .object({
      index: z.number().int().describe('Position of the row in the request, from 0.'),
      status: z.enum(['created', 'existing', 'error']).meta({
        id: 'BulkRegisterStatus',
        description: '`created`: registered. `existing`: the person was registered before. `error`: refused.',
      }),
      registration: RegistrationOutput.optional().describe('The registration. Left out for a refused row.'),
      error: RowError.optional().describe('Why the row was refused. Only with `error`.'),
    })
    .meta({ id: 'BulkRegisterResult' }),
  z
    .object({
      created: count().describe('People who were registered.'),
      existing: count().describe('People who were registered before.'),
      failed: count().describe('Rows that were refused.'),
    })
    .meta({ id: 'BulkRegisterSummary', description: 'The number of rows by their result.' }),
);

export const EventOutput = z
  .object({
    id: id('event'),
    type: z.string().describe('Event type such as `registered` or `joined`.'),
    occurredAt: instant(),
    data: z.record(z.string(), z.unknown()).describe('The facts of the event, which depend on its type.'),
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
