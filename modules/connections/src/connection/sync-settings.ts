import { commonErrors } from '@service/errors';
import type { NewField } from '@service/marketing-providers';
import { z } from 'zod';

/** The values that can be kept in step in fields of a marketing tool. */
export const syncFields = {
  lastWebinar: { label: 'Last webinar', kind: 'text' },
  registeredAt: { label: 'Last webinar registered at', kind: 'moment' },
  attended: { label: 'Last webinar attended', kind: 'boolean' },
  watchedPercent: { label: 'Webinar watched percent', kind: 'number' },
  lastSeenAt: { label: 'Last seen in webinar', kind: 'moment' },
  revenue: { label: 'Webinar revenue', kind: 'number' },
} as const satisfies Record<string, NewField>;

export type SyncField = keyof typeof syncFields;
export const syncFieldNames = Object.keys(syncFields) as [SyncField, ...SyncField[]];

/** The tags, with the text that follows the prefix. */
export const syncTags = {
  registered: 'registered',
  attended: 'attended',
  missed: 'missed',
  watched50: 'watched 50',
  clicked: 'clicked',
  purchased: 'purchased',
} as const;

export type SyncTag = keyof typeof syncTags;
export const syncTagNames = Object.keys(syncTags) as [SyncTag, ...SyncTag[]];

const key = z.string().trim().min(1, 'Must not be empty.').max(200, 'At most 200 characters.');

/** When a field of a tool is set. */
export const FieldPolicy = z.enum(['always', 'if_empty', 'at_creation']).meta({
  id: 'FieldPolicy',
  description:
    '`if_empty`: only if the tool has no value. `at_creation`: only for a contact that the tool does not have.',
});

const FieldMapping = z
  .strictObject({ key: key.describe('The field of the tool.'), policy: FieldPolicy.default('always') })
  .meta({ id: 'FieldMapping' });

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'At most 253 characters.')
  .regex(/^[^\s@]+\.[^\s@]+$/u, 'Not a domain.');

const webinarsLeftOutMax = 500;
const webinarsLeftOutText = `At most ${webinarsLeftOutMax} webinars.`;

/** The values and tags of every registrant that a marketing tool gets without a rule. */
export const SyncSettings = z
  .strictObject({
    enabled: z.boolean().describe('False: only rules update contacts.'),
    fields: z
      .partialRecord(z.enum(syncFieldNames).meta({ id: 'SyncFieldName' }), FieldMapping)
      .describe('The field of the tool for each value. A value without a field is not sent.'),
    tags: z
      .strictObject({
        prefix: z.string().max(50, 'At most 50 characters.').describe('Begins the name of every tag.'),
        use: z
          .array(z.enum(syncTagNames).meta({ id: 'SyncTagName' }))
          .max(syncTagNames.length)
          .describe('The tags that contacts get.'),
      })
      .meta({ id: 'SyncTags', description: 'The tags that follow what people did.' }),
    lists: z
      .array(key)
      .max(10, 'At most 10 lists.')
      .describe(
        'Ids of lists. People are added to them when they register and agree, unless their address is suppressed.',
      ),
    webinarsLeftOut: z
      .array(z.uuid())
      .max(webinarsLeftOutMax, webinarsLeftOutText)
      .describe('The ids of webinars whose people are left out.'),
    domainsLeftOut: z
      .array(domain)
      .max(100, 'At most 100 domains.')
      .describe('People with addresses of these domains are left out.'),
  })
  .meta({ id: 'SyncSettings' });

export type SyncSettings = z.output<typeof SyncSettings>;

/** Nothing is sent without a rule. */
export const noSync: SyncSettings = {
  enabled: false,
  fields: {},
  tags: { prefix: '', use: [] },
  lists: [],
  webinarsLeftOut: [],
  domainsLeftOut: [],
};

/** The settings with a webinar left out or taken in. Throws validation_failed. */
export function withLeftOut(
  sync: SyncSettings,
  { webinarId, isLeftOut }: { webinarId: string; isLeftOut: boolean },
): SyncSettings {
  const others = sync.webinarsLeftOut.filter((id) => id !== webinarId);
  if (isLeftOut && others.length >= webinarsLeftOutMax)
    throw commonErrors.validation_failed({ issues: [{ path: 'webinarId', message: webinarsLeftOutText }] });
  return { ...sync, webinarsLeftOut: isLeftOut ? [...others, webinarId] : others };
}
