import {
  id,
  instant,
  pageInput,
  recordToOutput,
  sortOrder,
  storable,
  text,
  timezone,
} from '@service/trpc/fields';
import { z } from 'zod';
import { sessionStatus, webinarKinds, webinarStatuses } from '../entities/enums.ts';
import {
  AttendanceInput,
  AttendanceOutput,
  AttributionInput,
  AttributionOutput,
  RegistrationFormInput,
  RegistrationFormOutput,
  RegistrationPageSettingsInput,
  RegistrationPageSettingsOutput,
  ReplayInput,
  ReplayOutput,
  RoomInput,
  RoomOutput,
  VideoInput,
  VideoOutput,
} from '../entities/webinar-settings.ts';
import { durationSeconds, locale, slug, wholeSlug } from '../field-inputs.ts';
import { ScheduleInput, ScheduleOutput } from '../schedule/schedule.ts';
import type { Session } from '../entities/session.ts';
import type { Webinar } from '../entities/webinar.ts';

const webinarKind = z.enum(webinarKinds).meta({
  id: 'WebinarKind',
  description:
    '`standard`: one video for all viewers. `adaptive`: segments, and the path through them depends on the viewer.',
});

const pageLocale = locale.describe('Language of the pages, a BCP 47 tag such as `en` or `pt-BR`.');

const fields = {
  title: text(200).describe('Internal title. Webhooks include it.'),
  publicTitle: text(200).nullable().describe('Title that attendees see. Null means they see `title`.'),
  description: text(5000)
    .nullable()
    .describe('Text about the webinar on its registration page. Null means none.'),
  kind: webinarKind,
  durationSeconds,
};

export const WebinarInput = z.strictObject({ webinarId: id('webinar') });

const webinarSort = z.enum(['createdAt', 'title']).meta({
  id: 'WebinarSort',
  description: 'The field that the list is sorted by. Defaults to `createdAt`. Case is ignored in titles.',
});

export const ListWebinarsInput = z.strictObject({
  status: z
    .enum(['draft', 'published'])
    .meta({ id: 'ListedWebinarStatus' })
    .optional()
    .describe('Only webinars with this status.'),
  kind: webinarKind.optional().describe('Only webinars of this kind.'),
  q: storable(z.string().max(200))
    .optional()
    .describe('Only webinars whose title or public title contains this text. Case is ignored.')
    .meta({ examples: ['launch'] }),
  sort: webinarSort.optional(),
  order: sortOrder.optional(),
  ...pageInput,
});

export const FindWebinarsInput = z.strictObject({
  /** Part of the title or of the public title. */
  q: ListWebinarsInput.shape.q,
  limit: z.int().min(1).max(20),
});

export const FoundWebinarOutput = z.object({
  id: z.uuid(),
  title: z.string(),
  status: z.enum(webinarStatuses),
});

/** The filters of the list, without the status. */
export const ListArchivedWebinarsInput = ListWebinarsInput.omit({ status: true });

export const CreateWebinarInput = z
  .strictObject({
    title: fields.title,
    publicTitle: fields.publicTitle.default(null),
    slug: slug
      .optional()
      .describe(
        'Words of the public address, such as `product-launch`. Made from the title if omitted. The service appends a hyphen and ' +
          'six characters, which make the address unique.',
      ),
    description: fields.description.default(null),
    kind: fields.kind.default('standard'),
    locale: pageLocale.default('en'),
    timezone: timezone.default('UTC'),
    durationSeconds: fields.durationSeconds.default(3600),
    video: VideoInput.nullable().default(null),
    schedule: ScheduleInput.prefault({}),
    room: RoomInput.prefault({}),
    replay: ReplayInput.prefault({}),
    registrationForm: RegistrationFormInput.prefault({}),
    registrationPage: RegistrationPageSettingsInput.prefault({}),
    attendance: AttendanceInput.prefault({}),
    attribution: AttributionInput.prefault({}),
  })
  .meta({ id: 'CreateWebinarInput' });

/** Fields of an update. An object replaces the stored object: fields omitted from it get their defaults. */
const changes = {
  title: fields.title.optional(),
  publicTitle: fields.publicTitle.optional(),
  slug: wholeSlug
    .optional()
    .describe(
      'New words of the public address. Its last six characters stay, so links with former words redirect. The whole `slug` of ' +
        'an answer is accepted too.',
    ),
  description: fields.description.optional(),
  kind: fields.kind.optional(),
  locale: pageLocale.optional(),
  timezone: timezone.optional(),
  durationSeconds: fields.durationSeconds.optional(),
  video: VideoInput.nullable().optional().describe('Video of the webinar. Null means none.'),
  schedule: ScheduleInput.optional(),
  room: RoomInput.optional(),
  replay: ReplayInput.optional(),
  registrationForm: RegistrationFormInput.optional(),
  registrationPage: RegistrationPageSettingsInput.optional(),
  attendance: AttendanceInput.optional(),
  attribution: AttributionInput.optional(),
};

export const UpdateWebinarInput = z
  .strictObject({ webinarId: id('webinar'), ...changes })
  .refine((input) => Object.keys(input).length > 1, {
    path: ['body'],
    message: 'Give at least one field to change.',
  })
  .meta({ id: 'UpdateWebinarInput' });

export const DuplicateWebinarInput = z
  .strictObject({
    webinarId: id('webinar'),
    title: text(200).optional().describe('Title of the copy. Defaults to the original title with “(copy)”.'),
  })
  .meta({ id: 'DuplicateWebinarInput' });

const NextSession = z
  .object({
    id: id('session'),
    startsAt: instant(),
    endsAt: instant(),
    status: sessionStatus,
    registrationCount: z.number().int().describe('Number of registrations that are not cancelled.'),
  })
  .meta({ id: 'NextSession' });

export const WebinarOutput = z
  .object({
    id: id('webinar'),
    title: z.string().describe('Internal title. Webhooks include it.'),
    publicTitle: z.string().nullable().describe('Title that attendees see. Null means they see `title`.'),
    slug: z
      .string()
      .describe(
        'Last part of the address of the registration page, `/w/{slug}`. Unique over all workspaces.',
      ),
    description: z
      .string()
      .nullable()
      .describe('Text about the webinar on its registration page. Null means none.'),
    kind: webinarKind,
    status: z.enum(webinarStatuses).meta({
      id: 'WebinarStatus',
      description:
        '`draft`: attendees cannot register. `published`: they can. `archived`: only in the answer to archiving, because later calls answer 404 until a member restores the webinar in the dashboard.',
    }),
    locale: z.string().describe('Language of the pages, a BCP 47 tag such as `en` or `pt-BR`.'),
    timezone: z.string().describe('IANA time zone such as `Europe/Berlin`.'),
    durationSeconds: z.number().int().describe('Duration of a session in seconds.'),
    video: VideoOutput.nullable().describe('Video of the webinar. Null if there is none yet.'),
    schedule: ScheduleOutput,
    room: RoomOutput,
    replay: ReplayOutput,
    registrationForm: RegistrationFormOutput,
    registrationPage: RegistrationPageSettingsOutput,
    attendance: AttendanceOutput,
    attribution: AttributionOutput,
    nextSession: NextSession.nullable().describe(
      'Next scheduled session. Pass its `startsAt` as `sessionTime` to register. Null if there is none.',
    ),
    publishedAt: instant().nullable().describe('The time of publishing. Null for a draft.'),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'Webinar' });

type Output = z.input<typeof WebinarOutput>;

export const webinarToOutput = (
  webinar: Webinar,
  session: Pick<Session, 'id' | 'startsAt' | 'endsAt' | 'status' | 'registeredCount'> | undefined,
): Output =>
  recordToOutput(WebinarOutput, webinar, {
    // Deleted webinars are never shown.
    status: webinar.status as Output['status'],
    nextSession: session
      ? recordToOutput(NextSession, session, { registrationCount: session.registeredCount })
      : null,
  });
