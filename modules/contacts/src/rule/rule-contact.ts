// The rule action `integration`: the values of the attendee of an event for a marketing tool.
import type { AttendeeEvent } from '@service/attendees';
import { FieldPolicy, findFieldTypes, findMarketingProviders } from '@service/connections';
import { createId, type AccountQueries, type AccountWriter } from '@service/database';
import type { Issue } from '@service/errors';
import {
  kindFits,
  marketingProviders,
  misfitOf,
  takenTexts,
  valueFits,
  type ContactEvent,
  type FieldType,
  type FieldValue,
  type ValueKind,
} from '@service/marketing-providers';
import { z } from 'zod';
import type { ChangeParts, StoredFields } from '../change/change.ts';
import { queueChanges } from '../change/queue-changes.ts';

type Facts = Pick<AttendeeEvent, 'registration' | 'webinar' | 'session' | 'facts'>;

type Read<Value> = (facts: Facts) => Value | null | undefined;
const text = (read: Read<string>) => ({ kind: 'text', read }) as const;
const number = (read: Read<number>) => ({ kind: 'number', read }) as const;
const moment = (read: (facts: Facts) => Date) =>
  ({ kind: 'moment', read: (facts: Facts) => read(facts).toISOString() }) as const;

/** The values of an attendee that a field of a tool can be set to. */
const sources = {
  name: text(({ registration }) => registration.name),
  first_name: text(({ registration }) => registration.name.trim().split(/\s+/u)[0]),
  last_name: text(({ registration }) => registration.name.trim().split(/\s+/u).slice(1).join(' ')),
  phone: text(({ registration }) => registration.phone),
  webinar_title: text(({ webinar }) => webinar.title),
  session_starts_at: moment(({ session }) => session.startsAt),
  registered_at: moment(({ registration }) => registration.registeredAt),
  watched_percent: number(({ facts }) => facts.watchedPercent),
  watched_minutes: number(({ facts }) => Math.floor(facts.watchedSeconds / 60)),
  utm_source: text(({ registration }) => registration.utmSource),
  utm_medium: text(({ registration }) => registration.utmMedium),
  utm_campaign: text(({ registration }) => registration.utmCampaign),
} satisfies Record<string, { kind: ValueKind; read: Read<FieldValue> }>;

type Source = keyof typeof sources;

const name = z.string().trim().min(1, 'Must not be empty.').max(200, 'At most 200 characters.');
const partsMax = 20;

const Switches = z
  .strictObject({
    add: z.array(name).max(partsMax).default([]).describe('Those that the contact gets.'),
    remove: z.array(name).max(partsMax).default([]).describe('Those that are taken from the contact.'),
  })
  .meta({ id: 'RuleSwitches' });

const noSwitches = { add: [], remove: [] };

const Field = z
  .strictObject({
    key: name.describe('The field of the tool.'),
    from: z
      .enum(Object.keys(sources) as [Source, ...Source[]])
      .meta({ id: 'RuleFieldSource' })
      .optional()
      .describe('A value of the attendee. Without such a value the field is not set.'),
    value: z
      .union([z.string().max(1000, 'At most 1000 characters.'), z.number(), z.boolean()])
      .meta({ id: 'RuleFieldValue' })
      .optional()
      .describe('The same value for everybody. Instead of `from`.'),
    policy: FieldPolicy.default('always'),
  })
  .refine(({ from, value }) => (from === undefined) !== (value === undefined), {
    path: ['from'],
    error: 'Give `from` or `value`.',
  })
  .meta({ id: 'RuleField' });

/** The fields of the action, beside its id and type. */
export const ruleContactFields = {
  connectionId: z.uuid().describe('The connection to the marketing tool.'),
  fields: z
    .array(Field)
    .max(partsMax, `At most ${partsMax}.`)
    .default([])
    .describe('The fields of the contact that are set.'),
  tags: Switches.default(noSwitches).describe('Names of tags.'),
  lists: Switches.default(noSwitches).describe(
    'Ids of lists. People are added to them only if they have agreed and their address is not suppressed.',
  ),
  event: z
    .strictObject({ name: name.describe('The name of the event.') })
    .meta({ id: 'RuleContactEvent' })
    .nullable()
    .default(null)
    .describe(
      'An event that is recorded at the contact, for tools that have events. Mailchimp takes names of 30 characters.',
    ),
};

const RuleContact = z.strictObject(ruleContactFields);

export type RuleContact = z.output<typeof RuleContact>;

/** True if the action would do nothing. */
export const isEmptyContact = ({ fields, tags, lists, event }: RuleContact): boolean =>
  event === null &&
  [fields, tags.add, tags.remove, lists.add, lists.remove].every((part) => part.length === 0);

/** An action of an input. */
interface GivenContact {
  contact: RuleContact;
  /** Of the action, such as `actions.0`. */
  path: string;
}

/**
 * The problems of actions: connections that are no marketing tools of the account, parts that their tools do not have, and values that do not fit
 * their fields. A field whose type is not known is the tool's to refuse.
 */
export async function findToolIssues(
  reader: AccountQueries,
  given: readonly GivenContact[],
): Promise<Issue[]> {
  if (given.length === 0) return [];
  const known = await findMarketingProviders(reader);
  const issues = given.map(async ({ contact, path }): Promise<Issue[]> => {
    const provider = marketingProviders.find(({ id }) => id === known.get(contact.connectionId));
    if (!provider)
      return [{ path: `${path}.connectionId`, message: 'The workspace has no marketing tool with this id.' }];
    const { connectionId, fields, tags, lists, event } = contact;
    const { words, events } = provider;
    const isGiven = ({ add, remove }: RuleContact['tags']): boolean => add.length + remove.length > 0;
    const missing = [
      ...(isGiven(tags) && words.tag === undefined ? ['tags'] : []),
      ...(isGiven(lists) && words.list === undefined ? ['lists'] : []),
      ...(event !== null && !events.exist ? ['events'] : []),
    ];
    const { nameMax = Infinity } = events;
    const types = await findFieldTypes(
      reader,
      connectionId,
      fields.map(({ key }) => key),
    );
    return [
      ...fields.flatMap((field, index) => {
        const problem = misfitOfField(field, types.get(field.key));
        return problem === undefined
          ? []
          : [{ path: `${path}.fields.${index}.${problem.path}`, message: problem.message }];
      }),
      ...missing.map((part) => ({
        path: `${path}.${part === 'events' ? 'event' : part}`,
        message: `${provider.name} has no ${part}.`,
      })),
      ...(event !== null && event.name.length > nameMax
        ? [{ path: `${path}.event.name`, message: `At most ${nameMax} characters at ${provider.name}.` }]
        : []),
    ];
  });
  return (await Promise.all(issues)).flat();
}

function misfitOfField(
  { key, from, value }: RuleContact['fields'][number],
  type: FieldType | undefined,
): { path: 'from' | 'value'; message: string } | undefined {
  if (type === undefined) return undefined;
  if (from !== undefined) {
    const { kind } = sources[from];
    if (kindFits(kind, type)) return undefined;
    return { path: 'from', message: `Does not fit "${key}": ${misfitOf(kind, type)}.` };
  }
  if (value === undefined || valueFits(value, type)) return undefined;
  return { path: 'value', message: `Does not fit "${key}": the field takes ${takenTexts[type]}.` };
}

/** An action of a rule that has fired. */
export interface RuleContactDraft {
  contact: RuleContact;
  event: Pick<AttendeeEvent, 'registration' | 'webinar' | 'session' | 'facts' | 'occurredAt' | 'data'> & {
    type: string;
  };
  executionId: string;
}

/** Merges the actions into the waiting changes of their contacts, with the commit. */
export const queueRuleChanges = (
  tx: Pick<AccountWriter, 'defer' | 'accountId' | 'now'>,
  drafts: readonly RuleContactDraft[],
): void =>
  queueChanges(
    tx,
    drafts.map(({ contact, event, executionId }) => ({
      connectionId: contact.connectionId,
      email: event.registration.email,
      registrationId: event.registration.id,
      inStep: false,
      parts: toParts(contact, event),
      causes: [executionId],
    })),
  );

const toParts = (
  { fields, tags, lists, event }: RuleContact,
  about: RuleContactDraft['event'],
): ChangeParts => ({
  fields: Object.fromEntries(
    fields.flatMap(({ key, from, value: constant, policy }): [string, StoredFields[string]][] => {
      const value = from === undefined ? constant : sources[from].read(about);
      return value === undefined || value === null || value === '' ? [] : [[key, { value, policy }]];
    }),
  ),
  tags: toSwitches(tags),
  lists: toSwitches(lists),
  events:
    event === null
      ? []
      : [{ id: createId(), at: about.occurredAt.toISOString(), ...toEvent(event.name, about) }],
});

const toSwitches = ({ add, remove }: RuleContact['tags']): Record<string, boolean> =>
  Object.fromEntries([
    ...remove.map((one) => [one, false] as const),
    ...add.map((one) => [one, true] as const),
  ]);

const propertiesMax = 20;
const propertyMax = 300;

/** The scalar values of the event's data, with the webinar and the type of the event. */
function toEvent(
  eventName: string,
  { type, data, webinar }: RuleContactDraft['event'],
): Pick<ContactEvent, 'name' | 'properties'> {
  const scalars = Object.entries(data).flatMap(([key, value]): [string, FieldValue][] =>
    typeof value === 'string'
      ? [[key, value.slice(0, propertyMax)]]
      : typeof value === 'number' || typeof value === 'boolean'
        ? [[key, value]]
        : [],
  );
  const properties = { event_type: type, webinar: webinar.title, webinar_id: webinar.id };
  return {
    name: eventName,
    properties: { ...Object.fromEntries(scalars.slice(0, propertiesMax)), ...properties },
  };
}
