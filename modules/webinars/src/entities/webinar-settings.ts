import { text, urlText } from '@service/trpc/fields';
import { z } from 'zod';
import { intBetween } from '../field-inputs.ts';

/** A URL for the viewer's browser. The service never loads it, so http is allowed. */
export const mediaUrl = urlText().pipe(
  z.url({ protocol: /^https?$/, error: 'Must be an http or https URL.' }),
);

const videoFields = {
  source: z
    .enum(['url', 'hls'])
    .meta({ id: 'VideoSource', description: '`url`: a video file. `hls`: an HLS playlist.' }),
  url: z.string().describe('http or https URL of the video.'),
  posterUrl: z
    .string()
    .nullable()
    .describe('http or https URL of the picture before the start. Null means none.'),
  captionsUrl: z.string().nullable().describe('http or https URL of the captions, WebVTT. Null means none.'),
};

export const VideoInput = z
  .strictObject({
    source: videoFields.source,
    url: mediaUrl.describe('http or https URL of the video.'),
    posterUrl: mediaUrl
      .nullable()
      .default(null)
      .describe('http or https URL of the picture before the start.'),
    captionsUrl: mediaUrl.nullable().default(null).describe('http or https URL of the captions, WebVTT.'),
  })
  .meta({ id: 'VideoInput', description: 'Video of the webinar. Not required for publishing.' });

export const VideoOutput = z.object(videoFields).meta({ id: 'Video', description: 'Video of the webinar.' });

const roomFields = {
  lateJoin: z
    .enum(['in_progress', 'from_start', 'closed'])
    .meta({
      id: 'LateJoin',
      description:
        '`in_progress`: late attendees join at the current position. `from_start`: they watch from the beginning. `closed`: attendees cannot join after the start.',
    })
    .default('in_progress'),
  lateCutoffMinutes: intBetween(1, 1440)
    .nullable()
    .default(null)
    .describe('Minutes after the start for which attendees can still join. Null means until the end.'),
  seekAllowed: z
    .boolean()
    .default(false)
    .describe('True if attendees can move to another position of the video.'),
  chatMode: z
    .enum(['public', 'private', 'off'])
    .meta({
      id: 'ChatMode',
      description:
        '`public`: attendees see all messages. `private`: attendees see their own messages and those of the host. `off`: no chat.',
    })
    .default('public'),
  lobbyMinutes: intBetween(0, 120).default(15).describe('Minutes before the start at which the lobby opens.'),
};

const replayFields = {
  enabled: z.boolean().default(false).describe('True if attendees can watch a replay after the session.'),
  availableHours: intBetween(1, 8760)
    .nullable()
    .default(null)
    .describe('Hours for which the replay is available after the session. Null means no limit.'),
};

const formFieldFields = {
  key: z
    .string()
    .regex(
      /^[a-zA-Z]\w{0,39}$/,
      'Must start with a letter and have only letters, digits and _, at most 40 characters.',
    )
    .describe('Key of the answer in `customFields`.'),
  label: text(200).describe('Label of the field on the registration page.'),
  type: z
    .enum(['text', 'email', 'phone', 'select', 'checkbox'])
    .meta({ id: 'FormFieldType', description: 'The control of the field.' }),
  required: z.boolean().default(false).describe('True if the field must be answered.'),
  options: z
    .array(text(200))
    .max(50)
    .default([])
    .describe('Options of a `select` field. Not allowed for other types.'),
};

const FormFieldInput = z
  .strictObject(formFieldFields)
  .superRefine(({ type, options }, { addIssue }) => {
    const refuse = (message: string): void => addIssue({ code: 'custom', path: ['options'], message });
    if (type === 'select' && options.length === 0) refuse('A select field needs at least one option.');
    if (type !== 'select' && options.length > 0) refuse('Only a select field can have options.');
  })
  .meta({ id: 'FormFieldInput' });

const formFields = {
  capacityPerSession: intBetween(1, 1_000_000)
    .nullable()
    .default(null)
    .describe('Maximum number of registrations per session, without cancelled ones. Null means no limit.'),
  consentText: text(2000)
    .nullable()
    .default(null)
    .describe('Text that people agree to when they register. Null means none.'),
};

const presenterFields = {
  name: text(100).describe('Name of the presenter.'),
  title: text(200).nullable().default(null).describe('Role or company, shown below the name.'),
  imageUrl: mediaUrl.nullable().default(null).describe('http or https URL of a picture. Null means none.'),
};

const pageFields = {
  takeaways: z
    .array(text(200))
    .max(12)
    .default([])
    .describe('“What you will learn”, one entry for each point.'),
  linksByMailOnly: z
    .boolean()
    .default(false)
    .describe(
      'True: the registration page never shows a join link, it is only mailed. So the page does not reveal whether an address ' +
        'is registered. If the confirmation mail is off, attendees get no link.',
    ),
};

const attendanceFields = {
  minSeconds: intBetween(0, 86_400)
    .default(0)
    .describe(
      'Seconds an attendee must watch to count as attended. With 0 everyone who joins counts. The default stays 0 in version 1, because ' +
        'integrations rely on it. Webinars that are created in the dashboard have 60, or a tenth of a shorter video than ten minutes.',
    ),
  completionPercent: intBetween(1, 100)
    .default(95)
    .describe('Percent of the video an attendee must watch before `video_complete` fires.'),
  noShowGraceMinutes: intBetween(0, 1440)
    .default(10)
    .describe('Minutes after the end of a session until `no_show` fires.'),
};

/** Attribution windows in days of 24 hours, of a workspace and of a webinar. */
export const attributionWindows = [1, 7, 14, 30, 60, 90] as const;

const attributionFields = {
  windowDays: z
    .literal(attributionWindows)
    .meta({ id: 'AttributionWindow' })
    .nullable()
    .default(null)
    .describe(
      'Days before a purchase in which an offer click, attendance or registration of this webinar gets the credit. Null means ' +
        'the window of the workspace. A change attributes all purchases again in the background; `GET /revenue/window` with `preview` says ' +
        'beforehand how many credits it moves.',
    ),
};

export const RoomInput = z
  .strictObject(roomFields)
  .meta({ id: 'RoomSettingsInput', description: 'The rules for watching a session.' });
export const RoomOutput = z
  .object(roomFields)
  .meta({ id: 'RoomSettings', description: 'The rules for watching a session.' });
export const ReplayInput = z
  .strictObject(replayFields)
  .meta({ id: 'ReplaySettingsInput', description: 'Replays after sessions.' });
export const ReplayOutput = z
  .object(replayFields)
  .meta({ id: 'ReplaySettings', description: 'Replays after sessions.' });
export const AttendanceInput = z
  .strictObject(attendanceFields)
  .meta({ id: 'AttendanceSettingsInput', description: 'When an attendee counts as present.' });
export const AttendanceOutput = z
  .object(attendanceFields)
  .meta({ id: 'AttendanceSettings', description: 'When an attendee counts as present.' });
export const AttributionInput = z.strictObject(attributionFields).meta({
  id: 'AttributionSettingsInput',
  description: 'The rules for crediting purchases to this webinar.',
});
export const AttributionOutput = z
  .object(attributionFields)
  .meta({ id: 'AttributionSettings', description: 'The rules for crediting purchases to this webinar.' });

export const RegistrationPageSettingsInput = z
  .strictObject({
    presenters: z
      .array(z.strictObject(presenterFields).meta({ id: 'PresenterInput' }))
      .max(12)
      .default([])
      .describe('The presenters, in the order of the page.'),
    ...pageFields,
  })
  .meta({ id: 'RegistrationPageSettingsInput', description: 'The contents of the registration page.' });

export const RegistrationPageSettingsOutput = z
  .object({
    presenters: z
      .array(
        z
          .object({
            ...presenterFields,
            imageUrl: z.string().nullable().describe('http or https URL of a picture. Null means none.'),
          })
          .meta({ id: 'Presenter' }),
      )
      .describe('The presenters, in the order of the page.'),
    ...pageFields,
  })
  .meta({ id: 'RegistrationPageSettings', description: 'The contents of the registration page.' });

export const RegistrationFormInput = z
  .strictObject({
    fields: z
      .array(FormFieldInput)
      .max(30)
      .default([])
      .describe('The fields beside name and e-mail address.'),
    ...formFields,
  })
  .superRefine(({ fields }, { addIssue }) => {
    const keys = fields.map((field) => field.key);
    for (const [index, key] of keys.entries()) {
      if (keys.indexOf(key) < index)
        addIssue({ code: 'custom', path: ['fields', index, 'key'], message: 'Used more than once.' });
    }
  })
  .meta({ id: 'RegistrationFormInput', description: 'The fields of the registration page.' });

export const RegistrationFormOutput = z
  .object({
    fields: z
      .array(z.object(formFieldFields).meta({ id: 'FormField' }))
      .describe('The fields beside name and e-mail address.'),
    ...formFields,
  })
  .meta({ id: 'RegistrationForm', description: 'The fields of the registration page.' });
