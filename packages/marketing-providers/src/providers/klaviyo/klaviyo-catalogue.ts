// https://developers.klaviyo.com/en/reference/get_lists and /get_profiles
import { readPages, readRequest } from '../../define-provider.ts';
import type { Call, Catalogue, CatalogueField, ToolRequest } from '../../marketing-provider.ts';
import { at, listAt, textAt } from '../../read-json.ts';

/** The attributes of a profile with a type of their own. Everything else is a custom property. */
export const attributes = {
  first_name: 'First name',
  last_name: 'Last name',
  organization: 'Organization',
  title: 'Title',
  phone_number: 'Phone number',
  locale: 'Locale',
  'location.city': 'City',
  'location.region': 'State or region',
  'location.country': 'Country',
  'location.zip': 'Zip code',
  'location.timezone': 'Time zone',
};

export const readLists = readRequest('Read lists', '/lists?fields[list]=name');
const readProfiles = readRequest(
  'Read profiles',
  '/profiles?fields[profile]=properties&page[size]=100&sort=-updated',
);

/** Fields that are read from profiles. */
const fieldsMax = 1000;

export async function readCatalogue(call: Call): Promise<Catalogue | { failed: string }> {
  const items = (json: unknown): unknown[] => listAt(json, 'data');
  const lists = await readPages(call, readLists, { items, next: nextLists });
  if ('failed' in lists) return lists;
  // Klaviyo has no list of properties. Those of the profiles that changed last are the ones in use.
  const profiles = await readPages(call, readProfiles, { items, next: () => undefined });
  if ('failed' in profiles) return profiles;

  const fields = new Map<string, CatalogueField>();
  for (const [key, label] of Object.entries(attributes)) fields.set(key, { key, label, type: 'text' });
  for (const item of profiles) {
    const properties = at(item, 'attributes', 'properties');
    if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) continue;
    for (const key in properties) {
      if (fields.size >= fieldsMax) break;
      const value = at(properties, key);
      if (!fields.has(key) && value !== null) fields.set(key, { key, label: key, type: typeOf(value) });
    }
  }
  return {
    fields: [...fields.values()],
    tags: [],
    lists: lists.flatMap((item) => {
      const id = textAt(item, 'id');
      return id === undefined ? [] : [{ id, name: textAt(item, 'attributes', 'name') ?? id }];
    }),
  };
}

/** Only the cursor is taken from the address of the next page, so that the key goes to no other host. */
export const cursorOf = (json: unknown): string | undefined =>
  /[?&]page(?:\[|%5B)cursor(?:\]|%5D)=([^&]+)/.exec(textAt(json, 'links', 'next') ?? '')?.[1];

function nextLists(json: unknown): ToolRequest | undefined {
  const cursor = cursorOf(json);
  return cursor === undefined
    ? undefined
    : { ...readLists, path: `${readLists.path}&page[cursor]=${cursor}` };
}

function typeOf(value: unknown): CatalogueField['type'] {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value !== 'string') return 'other';
  // https://developers.klaviyo.com/en/docs/acceptable_date_and_timestamp_formats_for_profile_and_event_properties
  const [, time] = /^\d{4}-\d\d-\d\d([T ]|$)/.exec(value) ?? [];
  return time === undefined ? 'text' : time === '' ? 'date' : 'datetime';
}
