import { text, urlText } from '@service/trpc';
import { z } from 'zod';

/** An address a browser can load, http as well: it is the viewer's browser that goes there, not the service. */
export const mediaUrl = urlText().pipe(z.url({ protocol: /^https?$/, error: 'An http or https URL.' }));

const videoFields = {
  source: z.enum(['url', 'hls']).describe('`url`: a file the browser plays; `hls`: a playlist.'),
  url: z.string(),
  posterUrl: z.string().nullable(),
  captionsUrl: z.string().nullable(),
};

export const VideoInput = z
  .strictObject({
    source: videoFields.source,
    url: mediaUrl,
    posterUrl: mediaUrl.nullable().default(null),
    captionsUrl: mediaUrl.nullable().default(null),
  })
  .describe('What is shown. Not needed to publish, so that an integration can be built before the video.');

export const VideoOutput = z.object(videoFields);

const roomFields = {
  lateJoin: z
    .enum(['in_progress', 'from_start', 'closed'])
    .default('in_progress')
    .describe('What somebody who comes late sees.'),
  lateCutoffMinutes: z
    .number()
    .int()
    .min(1)
    .max(1440)
    .nullable()
    .default(null)
    .describe('After that nobody is let in; null: until the end.'),
  seekAllowed: z.boolean().default(false),
  chatMode: z.enum(['public', 'private', 'off']).default('public').describe('`private`: only hosts see it.'),
  lobbyMinutes: z.number().int().min(0).max(120).default(15).describe('How long before the start it opens.'),
};

const replayFields = {
  enabled: z.boolean().default(false),
  availableHours: z
    .number()
    .int()
    .min(1)
    .max(8760)
    .nullable()
    .default(null)
    .describe('After the session’s end; null: for good.'),
};

const formFieldFields = {
  key: z
    .string()
    .regex(/^[a-zA-Z]\w{0,39}$/, 'Letters, digits and _, at most 40, a letter first.')
    .describe('The name of the answer in `customFields`.'),
  label: text(200),
  type: z.enum(['text', 'email', 'phone', 'select', 'checkbox']),
  required: z.boolean().default(false),
  options: z.array(text(200)).max(50).default([]).describe('What a select offers.'),
};

const FormField = z.strictObject(formFieldFields).superRefine(({ type, options }, { addIssue }) => {
  const refuse = (message: string): void => addIssue({ code: 'custom', path: ['options'], message });
  if (type === 'select' && options.length === 0) refuse('A select needs at least one.');
  if (type !== 'select' && options.length > 0) refuse('Only for select.');
});

const formFields = {
  capacityPerSession: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe('Live registrations a session takes; null: any number.'),
  consentText: text(2000).nullable().default(null),
};

const attendanceFields = {
  minSeconds: z.number().int().min(0).max(86_400).default(0).describe('Watched to count as attended.'),
  completionPercent: z.number().int().min(1).max(100).default(95).describe('Watched to count as complete.'),
  noShowGraceMinutes: z
    .number()
    .int()
    .min(0)
    .max(1440)
    .default(10)
    .describe('After the end of a session until `no_show` fires.'),
};

const attributionFields = {
  windowDays: z
    .number()
    .int()
    .min(1)
    .max(365)
    .default(30)
    .describe('How long after a touch a purchase is still credited to it.'),
};

export const RoomInput = z.strictObject(roomFields);
export const RoomOutput = z.object(roomFields);
export const ReplayInput = z.strictObject(replayFields);
export const ReplayOutput = z.object(replayFields);
export const AttendanceInput = z.strictObject(attendanceFields);
export const AttendanceOutput = z.object(attendanceFields);
export const AttributionInput = z.strictObject(attributionFields);
export const AttributionOutput = z.object(attributionFields);

export const RegistrationFormInput = z
  .strictObject({ fields: z.array(FormField).max(30).default([]), ...formFields })
  .superRefine(({ fields }, { addIssue }) => {
    const keys = fields.map((field) => field.key);
    for (const [index, key] of keys.entries()) {
      if (keys.indexOf(key) < index)
        addIssue({ code: 'custom', path: ['fields', index, 'key'], message: 'Used more than once.' });
    }
  });

export const RegistrationFormOutput = z.object({
  fields: z.array(z.object(formFieldFields)),
  ...formFields,
});
