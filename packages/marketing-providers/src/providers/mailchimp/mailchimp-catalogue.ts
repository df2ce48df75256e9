// https://mailchimp.com/developer/marketing/api/list-merges/, /interest-categories/ and /list-segments/
import { readPages, readRequest } from '../../define-provider.ts';
import type { Call, Catalogue, CatalogueField } from '../../marketing-provider.ts';
import { listAt, textAt } from '../../read-json.ts';

/** Answers for every working key and an audience that exists. */
export const readAudience = readRequest('Read audience', '?fields=name');

const categoriesMax = 60;

export async function readCatalogue(call: Call): Promise<Catalogue | { failed: string }> {
  const readAll = (name: string, path: string, key: string): Promise<unknown[] | { failed: string }> =>
    readPages(call, readRequest(name, path), { items: (json) => listAt(json, key), next: () => undefined });
  const fields = await readAll('Read fields', '/merge-fields?count=1000', 'merge_fields');
  if ('failed' in fields) return fields;
  // A tag is a segment without conditions.
  const tags = await readAll(
    'Read tags',
    '/segments?type=static&count=1000&fields=segments.name',
    'segments',
  );
  if ('failed' in tags) return tags;
  const categories = await readAll(
    'Read groups',
    `/interest-categories?count=${categoriesMax}`,
    'categories',
  );
  if ('failed' in categories) return categories;
  const lists: { id: string; name: string }[] = [];
  for (const category of categories.slice(0, categoriesMax)) {
    const path = `/interest-categories/${encodeURIComponent(textAt(category, 'id') ?? '')}/interests?count=${categoriesMax}`;
    const groups = await readAll('Read groups', path, 'interests');
    if ('failed' in groups) return groups;
    for (const group of groups) {
      const id = textAt(group, 'id');
      const name = `${textAt(category, 'title') ?? ''}: ${textAt(group, 'name') ?? ''}`;
      if (id !== undefined) lists.push({ id, name });
    }
  }
  return {
    fields: fields.map((item): CatalogueField => {
      const key = textAt(item, 'tag') ?? '';
      const choices = listAt(item, 'options', 'choices').filter((choice) => typeof choice === 'string');
      const type = types[textAt(item, 'type') ?? ''] ?? 'other';
      return { key, label: textAt(item, 'name') ?? key, type, choices };
    }),
    tags: tags.flatMap((item) => textAt(item, 'name') ?? []).map((name) => ({ name })),
    lists,
  };
}

const types: Record<string, CatalogueField['type']> = {
  text: 'text',
  phone: 'text',
  url: 'text',
  zip: 'text',
  number: 'number',
  date: 'date',
  radio: 'choice',
  dropdown: 'choice',
};
