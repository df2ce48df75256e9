// The parts of a change that come from rules, as they are stored until they are sent, and as tools take them.
import {
  toFieldForm,
  type ContactChange,
  type ContactEvent,
  type FieldPolicy,
  type FieldType,
  type FieldValue,
} from '@service/marketing-providers';

/** By the key of the field. */
export type StoredFields = Readonly<Record<string, { value: FieldValue; policy: FieldPolicy }>>;

/** By the name of a tag or the id of a list. True: added. False: removed. */
export type StoredSwitches = Readonly<Record<string, boolean>>;

/** `at` is ISO 8601. */
export type StoredEvent = Omit<ContactEvent, 'at'> & { at: string };

export interface ChangeParts {
  fields: StoredFields;
  tags: StoredSwitches;
  lists: StoredSwitches;
  events: readonly StoredEvent[];
}

export const noParts: ChangeParts = { fields: {}, tags: {}, lists: {}, events: [] };

export const hasParts = ({ fields, tags, lists, events }: ChangeParts): boolean =>
  events.length > 0 || [fields, tags, lists].some((part) => Object.keys(part).length > 0);

/** Events of a change. The newest are kept. */
export const eventsMax = 50;
/** Causes of a change. The newest are kept. */
export const causesMax = 20;

/** Both in one: of a field, a tag or a list the newer one wins. SQL merges rows in the same way (`queue-changes.ts`). */
export const mergeParts = (older: ChangeParts, newer: ChangeParts): ChangeParts => ({
  fields: { ...older.fields, ...newer.fields },
  tags: { ...older.tags, ...newer.tags },
  lists: { ...older.lists, ...newer.lists },
  events: [...older.events, ...newer.events].slice(-eventsMax),
});

/**
 * The change as tools take it: values in the form of their fields, as far as the types are known. People are added to lists only if they have
 * agreed.
 */
export function toContactChange(
  { fields, tags, lists, events }: ChangeParts,
  { email, consent, isBackfill }: Pick<ContactChange, 'email' | 'consent' | 'isBackfill'>,
  types: ReadonlyMap<string, FieldType>,
): ContactChange {
  const { add, remove } = sides(lists);
  return {
    email,
    fields: Object.entries(fields).map(([key, { value, policy }]) => {
      const type = types.get(key);
      return { key, value: type === undefined ? value : toFieldForm(value, type), policy };
    }),
    tags: sides(tags),
    lists: { add: consent?.given ? add : [], remove },
    events: events.map(({ at, ...event }) => ({ ...event, at: new Date(at) })),
    consent,
    isBackfill,
  };
}

const sides = (switches: StoredSwitches): { add: string[]; remove: string[] } => {
  const { add = [], remove = [] } = Object.groupBy(Object.keys(switches), (name) =>
    switches[name] ? 'add' : 'remove',
  );
  return { add, remove };
};
