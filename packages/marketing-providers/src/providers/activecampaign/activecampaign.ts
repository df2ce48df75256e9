// https://developers.activecampaign.com/reference: contacts, tags, lists, custom fields, bulk import, rate limits
import { keyField } from '@service/outbound-http';
import { z } from 'zod';
import { defineProvider, idOr, readPages, readRequest, refusalOf } from '../../define-provider.ts';
import type { Call, Catalogue, CatalogueField, ToolRequest } from '../../marketing-provider.ts';
import { listAt, textAt } from '../../read-json.ts';
import { contactsMax, importJob, importRequest, nativeFields, readImport } from './bulk-import.ts';
import { lookup, pageMax, plan, toRequest } from './plan-requests.ts';
import { read } from './read-answer.ts';

const credential = z.object({
  url: z
    .string()
    .trim()
    .regex(/^https:\/\/[a-z0-9.-]+(\/api\/3)?\/?$/i, 'This is not the API address of an account.')
    .transform((url) => new URL(url).origin)
    .meta({
      label: 'API address',
      placeholder: 'https://acme.api-us1.com',
      help: 'ActiveCampaign > Settings > Developer > URL.',
      isSecret: false,
    }),
  key: keyField({
    label: 'API key',
    placeholder: '0123456789abcdef...',
    help: 'ActiveCampaign > Settings > Developer > Key. It stops working when its user leaves the account.',
  }),
});

/** Events have an address and a key of their own, so they are not sent. A field is made by two calls, so `createField` is not offered. */
export const activecampaign = defineProvider({
  id: 'activecampaign',
  name: 'ActiveCampaign',
  words: { field: 'Field', tag: 'Tag', list: 'List' },
  credential,
  baseUrl: ({ url }) => `${url}/api/3`,
  headers: ({ key }) => ({ 'api-token': key }),
  // Shared with all other tools of the account.
  limits: { api: [{ count: 5, windowMs: 1000 }], imports: [{ count: 100, windowMs: 60_000 }] },
  open: 5,
  events: { exist: false, areIdempotent: false },

  async verify(_, send) {
    const answer = await send(readRequest('Read user', '/users/me'));
    const refusal = refusalOf(answer);
    // 403 is the answer to an unknown key. Every user may make this call.
    if (refusal && 'status' in answer && answer.status === 403) return { ...refusal, kind: 'refused' };
    if (refusal || 'lost' in answer) return refusal!;
    return { kind: 'accepted', account: textAt(answer.json, 'user', 'email') };
  },

  catalogue: readCatalogue,
  plan,
  read,

  batch: {
    max: contactsMax,
    // An import removes no tags. It would unsubscribe people from lists that they were never in.
    suits: ({ fields, tags, lists, isBackfill }) =>
      fields.every(({ policy }) => policy === 'always') &&
      (isBackfill || tags.remove.length + lists.remove.length === 0),
    plan: (changes) => importRequest('batch', changes),
    read(_, answer, changes) {
      const outcome = readImport(answer, changes.length);
      return outcome?.kind === 'done' ? changes.map(() => outcome) : outcome;
    },
    job: importJob,
  },

  erase(email, { done, learnt }) {
    const requests = [lookup(email)];
    if (learnt['contact'] !== undefined || !done.has('lookup'))
      requests.push(
        toRequest('erase', 'Delete contact', `DELETE /contacts/${idOr('{contact}', learnt['contact'])}`),
      );
    return requests.filter(({ step }) => !done.has(step));
  },
});

const types: Record<string, CatalogueField['type']> = {
  text: 'text',
  textarea: 'text',
  hidden: 'text',
  number: 'number',
  currency: 'number',
  date: 'date',
  datetime: 'datetime',
  dropdown: 'choice',
  radio: 'choice',
  // Several choices at once are one text: ||one||two||.
  listbox: 'multiple_choice',
  checkbox: 'multiple_choice',
};

/** Of all fields together. */
const optionsMax = 20_000;

async function readCatalogue(send: Call): Promise<Catalogue | { failed: string }> {
  const options: unknown[] = [];
  const pages = (name: string): ReturnType<typeof readPages> => {
    let offset = 0;
    const page = (): ToolRequest => readRequest(`Read ${name}`, `/${name}?limit=${pageMax}&offset=${offset}`);
    return readPages(send, page(), {
      items(json) {
        for (const option of listAt(json, 'fieldOptions').slice(0, optionsMax - options.length))
          options.push(option);
        return listAt(json, name);
      },
      next(json) {
        offset += pageMax;
        return listAt(json, name).length < pageMax ? undefined : page();
      },
    });
  };
  const fields = await pages('fields');
  if ('failed' in fields) return fields;
  const tags = await pages('tags');
  if ('failed' in tags) return tags;
  const lists = await pages('lists');
  if ('failed' in lists) return lists;

  const native = Object.entries(nativeFields).map(([key, { label }]) => ({
    key,
    label,
    type: 'text' as const,
  }));
  const optionsByField = Map.groupBy(options, (option) => textAt(option, 'field'));
  const custom = fields.map((field): CatalogueField => {
    const key = textAt(field, 'id') ?? '';
    const type = types[textAt(field, 'type') ?? ''] ?? 'other';
    const choices = (optionsByField.get(key) ?? []).map((option) => textAt(option, 'value') ?? '');
    return { key, label: textAt(field, 'title') ?? '', type, choices };
  });
  return {
    fields: [...native, ...custom],
    tags: tags
      .filter((tag) => textAt(tag, 'tagType') !== 'template')
      .map((tag) => ({ name: textAt(tag, 'tag') ?? '' })),
    lists: lists.map((list) => ({ id: textAt(list, 'id') ?? '', name: textAt(list, 'name') ?? '' })),
  };
}
