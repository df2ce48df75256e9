// https://developers.hubspot.com/docs/api-reference/2026-03/crm/properties/guide and /crm/lists/guide
import { readPages, readRequest } from '../../define-provider.ts';
import type { Call, Catalogue, CatalogueField, ToolRequest } from '../../marketing-provider.ts';
import { at, listAt, textAt } from '../../read-json.ts';

export const properties = '/crm/properties/2026-03/contacts';
export const lists = '/crm/lists/2026-03';

export const searchLists = (offset: number): ToolRequest => ({
  ...readRequest('Read lists', `${lists}/search`),
  method: 'POST',
  body: {
    query: '',
    // Lists of contacts, and those that calls may change.
    objectTypeId: '0-1',
    processingTypes: ['MANUAL', 'SNAPSHOT'],
    additionalProperties: [],
    listIds: [],
    count: 500,
    offset,
  },
});

export async function readCatalogue(call: Call): Promise<Catalogue | { failed: string }> {
  const fields = await readPages(call, readRequest('Read properties', `${properties}?archived=false`), {
    items: (json) => listAt(json, 'results').filter(isWritable),
    next: () => undefined,
  });
  if ('failed' in fields) return fields;
  const found = await readPages(call, searchLists(0), {
    items: (json) => listAt(json, 'lists'),
    next: (json) => (at(json, 'hasMore') === true ? searchLists(Number(at(json, 'offset'))) : undefined),
  });
  if ('failed' in found) return found;
  return {
    fields: fields.map((item): CatalogueField => {
      const key = textAt(item, 'name') ?? '';
      const choices = listAt(item, 'options').flatMap((option) => textAt(option, 'value') ?? []);
      const type = typeOf(textAt(item, 'type'), textAt(item, 'fieldType'));
      return { key, label: textAt(item, 'label') ?? key, type, choices };
    }),
    tags: [],
    lists: found.flatMap((item) => {
      const id = textAt(item, 'listId');
      return id === undefined ? [] : [{ id, name: textAt(item, 'name') ?? id }];
    }),
  };
}

const isWritable = (item: unknown): boolean =>
  textAt(item, 'name') !== 'email' &&
  at(item, 'hidden') !== true &&
  at(item, 'calculated') !== true &&
  at(item, 'modificationMetadata', 'readOnlyValue') !== true;

function typeOf(type: string | undefined, fieldType: string | undefined): CatalogueField['type'] {
  if (type === 'bool' || fieldType === 'booleancheckbox') return 'boolean';
  if (type === 'number') return 'number';
  if (type === 'date' || type === 'datetime') return type;
  // Several choices at once are one text with semicolons.
  if (type === 'enumeration') return fieldType === 'checkbox' ? 'multiple_choice' : 'choice';
  return type === 'string' || type === 'phone_number' ? 'text' : 'other';
}
