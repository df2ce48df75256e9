// The settings of the mails of a webinar: the schemas of the API, which the stored settings have too, and the defaults.
import { id, notBlank, storable } from '@service/trpc/fields';
import { z } from 'zod';
import { defaultTexts } from './default-texts.ts';
import { textKinds, type TextKind } from './mail-kinds.ts';
import { isPersonal, unknownVariables, variables } from './variables.ts';

const remindersMax = 5;
/** Two weeks. */
const minutesBeforeMax = 20_160;

const oneLine = (max: number) =>
  notBlank(z.string().trim())
    .max(max, `At most ${max} characters.`)
    // Not \p{Cc}, which validators of JSON Schema without the flag u, and Python, read as letters.
    // oxlint-disable-next-line no-control-regex
    .regex(/^[^\u0000-\u001F\u007F-\u009F\u2028\u2029]*$/, 'Must be one line.');

const withVariables = (schema: z.ZodString) =>
  storable(schema).superRefine((value, { addIssue }) => {
    const [unknown] = unknownVariables(value);
    if (unknown === undefined) return;
    addIssue({ code: 'custom', message: `There is no variable {{${unknown}}}.` });
  });

const enabled = z.boolean().describe('False: this mail is not sent.');

export const textFields = {
  enabled,
  subject: withVariables(oneLine(200)).describe(
    'One line. May contain variables such as `{{webinarTitle}}`.',
  ),
  text: withVariables(notBlank(z.string().trim()).max(10_000, 'At most 10000 characters.')).describe(
    'Plain text, from which the HTML is made. A line with a variable that has no value is left out.',
  ),
};

const minutesBefore = z
  .int('Must be a whole number.')
  .min(0, 'Must be at least 0.')
  .max(minutesBeforeMax, `Must be at most ${minutesBeforeMax}.`)
  .describe('Minutes before the start of the session.');

const settingFields = {
  enabled: enabled.describe(
    'False: none of these mails is sent. Mails of automation rules are switched with their rule.',
  ),
  senderName: storable(oneLine(100))
    .nullable()
    .describe('Name of the sender. Null means the name of the workspace.'),
  replyTo: z
    .email('Not an e-mail address.')
    .max(254)
    .nullable()
    .describe('E-mail address for answers of attendees. Null means none.'),
};

const MailText = z
  .object(textFields)
  .meta({ id: 'MailText', description: 'One mail: on or off, and its text.' });

const MailReminder = z.object({ minutesBefore, ...textFields }).meta({ id: 'MailReminder' });

const eachKind = <Schema extends z.ZodType>(schema: Schema): Record<TextKind, Schema> =>
  Object.fromEntries(textKinds.map((kind) => [kind, schema])) as Record<TextKind, Schema>;

const settingsOutput = {
  ...settingFields,
  kinds: z
    .object(eachKind(MailText))
    .meta({ id: 'MailTexts', description: 'The mails other than reminders, by kind.' }),
  reminders: z.array(MailReminder).describe('The reminders, the earliest first.'),
};

/** The settings as they are stored, with nothing left out. */
const StoredSettings = z.object(settingsOutput);

export type WebinarMails = z.output<typeof StoredSettings>;

export const WebinarMailsInput = z.strictObject({ webinarId: id('webinar') });

export const WebinarMailsOutput = z
  .object({
    ...settingsOutput,
    variables: z
      .array(
        z
          .object({
            name: z.string().describe('The name between the braces.'),
            description: z.string().describe('The meaning of the variable.'),
            sample: z.string().describe('A value as it can be in a mail.'),
            isPersonal: z
              .boolean()
              .describe(
                'True for a link with which the reader acts as the attendee. A mail to members cannot contain it.',
              ),
          })
          .meta({ id: 'MailVariable' }),
      )
      .describe('The variables that a subject or a text may contain, as `{{name}}`.'),
  })
  .meta({ id: 'WebinarMails' });

const MailTextChange = z
  .strictObject({
    enabled: textFields.enabled.optional(),
    subject: textFields.subject.optional(),
    text: textFields.text.optional(),
  })
  .meta({ id: 'MailTextChange', description: 'The fields to change.' });

const MailReminderInput = z
  .strictObject({
    minutesBefore,
    enabled: enabled.default(true),
    subject: textFields.subject.default(defaultTexts.reminder.subject),
    text: textFields.text.default(defaultTexts.reminder.text),
  })
  .meta({ id: 'MailReminderInput' });

export const UpdateWebinarMailsInput = z
  .strictObject({
    ...WebinarMailsInput.shape,
    enabled: settingFields.enabled.optional(),
    senderName: settingFields.senderName.optional(),
    replyTo: settingFields.replyTo.optional(),
    kinds: z
      .strictObject(eachKind(MailTextChange.optional()))
      .meta({ id: 'MailTextsChange' })
      .optional()
      .describe('Mails and fields that are left out do not change.'),
    reminders: z
      .array(MailReminderInput)
      .max(remindersMax, `At most ${remindersMax}.`)
      .refine(
        (reminders) => new Set(reminders.map((each) => each.minutesBefore)).size === reminders.length,
        'Two reminders have the same time.',
      )
      .optional()
      .describe('Replaces all reminders.'),
  })
  .meta({ id: 'UpdateWebinarMailsInput' });

type SettingsChange = Omit<z.output<typeof UpdateWebinarMailsInput>, 'webinarId'>;

/** A day, an hour, and the start. */
const reminderMinutes = [1440, 60, 0];

/** The settings of a webinar whose mails were never changed. */
export const defaultSettings = (isOn: boolean): WebinarMails => ({
  enabled: isOn,
  senderName: null,
  replyTo: null,
  kinds: Object.fromEntries(
    textKinds.map((kind) => [kind, { enabled: true, ...defaultTexts[kind] }]),
  ) as WebinarMails['kinds'],
  reminders: reminderMinutes.map((minutes) => ({
    minutesBefore: minutes,
    enabled: true,
    ...defaultTexts.reminder,
  })),
});

/** The settings after a change. Reminders are in the order of their times. */
export function changeSettings(
  settings: WebinarMails,
  { kinds, reminders, ...fields }: SettingsChange,
): WebinarMails {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const changed = Object.entries(kinds ?? {}).map(([kind, change]) => [
    kind,
    { ...settings.kinds[kind as TextKind], ...withoutUndefined(change) },
  ]);
  return {
    ...settings,
    ...Object.fromEntries(given),
    kinds: { ...settings.kinds, ...Object.fromEntries(changed) },
    reminders: (reminders ?? settings.reminders).toSorted(
      (one, other) => other.minutesBefore - one.minutesBefore,
    ),
  };
}

const withoutUndefined = (fields: object = {}): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

export const settingsToOutput = (settings: WebinarMails): z.input<typeof WebinarMailsOutput> => ({
  ...settings,
  variables: Object.entries(variables).map(([name, { description, sample }]) => ({
    name,
    description,
    sample,
    isPersonal: isPersonal(name),
  })),
});
