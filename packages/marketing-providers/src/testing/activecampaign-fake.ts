// https://developers.activecampaign.com/reference
import { crc32 } from 'node:zlib';
import { type FakeAnswer, type FakeContact, isEmail, type ToolRules, type ToolState } from './tool-fake.ts';

const ok = (body: object = {}, status = 200): FakeAnswer => ({ status, body });
const refuse = (status: number, title: string, pointer?: string): FakeAnswer => ({
  status,
  body: { errors: [{ title, detail: title, ...(pointer && { source: { pointer } }) }] },
});
const notFound = (what: string, id: string): FakeAnswer => ({
  status: 404,
  body: { message: `No Result found for ${what} with id ${id}` },
});

export const activecampaignFake: ToolRules = {
  credential: { url: 'https://acme.api-us1.com', key: `${'0123456789abcdef'.repeat(4)}01234567` },
  samples: {
    text: '6',
    name: 'firstName',
    number: '2',
    lists: ['1', '2'],
    event: undefined,
    unknownField: 'refused',
    wrongType: { key: '7', value: 'yesterday', becomes: 'refused' },
    retryAfterMs: 7000,
    keysHaveScopes: false,
    textType: 'text',
    fieldTypes: ['text', 'date', 'datetime', 'choice', 'multiple_choice'],
    numberIsText: true,
    batchHasLists: true,
    keepsLeftLists: true,
  },
  setUp({ fields, tags, lists }) {
    for (const [id, type] of Object.entries({
      1: 'text',
      2: 'text',
      6: 'text',
      7: 'date',
      8: 'dropdown',
      9: 'listbox',
      10: 'datetime',
    }))
      fields.set(id, type);
    for (const name of ['customer', 'attended']) tags.add(name);
    for (let number = 1; number <= 120; number++) lists.set(String(number), `List ${number}`);
  },
  keyOf: ({ headers }) => headers['api-token'],
  refused: (key) => ({ status: 403, body: { message: `No permission for the key ${key}` } }),
  rateLimited: (waitSeconds) => ({
    status: 429,
    headers: { 'retry-after': String(waitSeconds), 'ratelimit-limit': '5', 'ratelimit-remaining': '0' },
    body: { message: 'Too many requests' },
  }),
  unavailable: {
    status: 503,
    headers: { 'content-type': 'text/html' },
    body: '<html>Service unavailable</html>',
  },
  limitsOf: () => [{ name: 'api', count: 5, windowMs: 1000 }],
  answer(request, state) {
    const { method, path, query } = request;
    const body = (request.body ?? {}) as Record<string, Record<string, unknown>>;
    const [, api, version, resource, id = '', relation = ''] = path.split('/').map(decodeURIComponent);
    if (api !== 'api' || version !== '3') return { status: 404, body: '<html>Not found</html>' };
    const contact = [...state.contacts.values()].find((each) => each.id === id);
    switch ([method, resource, /^\d+$/.test(id) ? 'id' : id, relation].filter(Boolean).join(' ')) {
      case 'GET users me':
        return ok({ user: { username: 'jdoe', email: 'owner@example.com' } });
      case 'GET fields':
        return ok({
          ...page(
            'fields',
            [...state.fields].map(([field, type]) => ({ id: field, title: `Field ${field}`, type })),
            query,
          ),
          fieldOptions: ['Yes', 'No'].map((value) => ({ field: '8', value })),
        });
      case 'GET tags': {
        const name = query.get('filters[search][eq]')?.toLowerCase();
        const tags = [...state.tags].filter((tag) => name === undefined || tag.toLowerCase() === name);
        return ok(
          page(
            'tags',
            tags.map((tag) => ({ id: idOf(tag), tag, tagType: 'contact' })),
            query,
          ),
        );
      }
      case 'POST tags': {
        const name = String(body['tag']!['tag']);
        if (state.tags.has(name)) return refuse(422, 'The tag name already exists');
        state.tags.add(name);
        return ok({ tag: { id: idOf(name), tag: name, tagType: 'contact' } }, 201);
      }
      case 'GET lists':
        return ok(
          page(
            'lists',
            [...state.lists].map(([list, name]) => ({ id: list, name })),
            query,
          ),
        );
      case 'GET lists id':
        return state.lists.has(id) ? ok({ list: { id, name: state.lists.get(id) } }) : notFound('List', id);
      case 'GET contacts': {
        const found = state.contacts.get(String(query.get('email')).toLowerCase());
        return ok({ contacts: found ? [toContact(found)] : [] });
      }
      case 'POST contact sync':
        return syncContact(state, body['contact']!);
      case 'POST import bulk_import':
        return importContacts(state, (request.body as { contacts: Imported[] }).contacts);
      case 'POST contactTags':
        return addTag(state, body['contactTag']!);
      case 'DELETE contactTags id': {
        for (const each of state.contacts.values())
          for (const tag of each.tags)
            if (relationOf(each, tag) === id) {
              each.tags.delete(tag);
              state.automations.push(`untag:${tag}`);
              return ok();
            }
        return notFound('SubscriberTag', id);
      }
      case 'POST contactLists':
        return changeList(state, body['contactList']!);
    }
    if (!contact) return notFound('Subscriber', id);
    switch (`${method} ${relation}`) {
      case 'GET fieldValues':
        return ok({ fieldValues: toValues(contact) });
      case 'GET contactTags': {
        const relations = [...contact.tags].map((tag) => ({
          id: relationOf(contact, tag),
          tag: idOf(tag),
          contact: id,
        }));
        return ok(page('contactTags', relations, query));
      }
      case 'GET contactLists':
        return ok(page('contactLists', toRows(contact, state), query));
      case 'DELETE ':
        state.contacts.delete(contact.email.toLowerCase());
        state.erased.push(contact.email.toLowerCase());
        return ok();
      default:
        return notFound('Resource', path);
    }
  },
};

const idOf = (tag: string): string => String(crc32(tag));
const relationOf = ({ id }: FakeContact, tag: string): string => String(crc32(`${id} ${tag}`));
const natives = ['firstName', 'lastName', 'phone'];

/** A page has 20 items, and at most 100. */
function page(name: string, items: object[], query: URLSearchParams): object {
  const from = Number(query.get('offset') ?? 0);
  const limit = Math.min(100, Number(query.get('limit') ?? 20));
  return { [name]: items.slice(from, from + limit), meta: { total: String(items.length) } };
}

const toContact = ({ id, email, fields }: FakeContact): object => ({
  id,
  email,
  ...Object.fromEntries(natives.map((key) => [key, fields[key] ?? ''])),
});

const toValues = ({ id, fields }: FakeContact): { field: string; value: unknown }[] =>
  Object.entries(fields)
    .filter(([key]) => !natives.includes(key))
    .map(([field, value]) => ({ contact: id, field, value }));

/** Status 1 is subscribed, 2 unsubscribed. A person who has left has left all lists. */
const toRows = (contact: FakeContact, state: ToolState): object[] => {
  const { id, lists, consent, leftLists } = contact;
  const left = consent === 'left' ? state.lists.keys() : leftLists;
  const rows = new Map([...lists].map((list) => [list, '1']));
  for (const list of left) rows.set(list, '2');
  return [...rows].map(([list, status]) => ({ contact: id, list, status }));
};

function syncContact(
  state: ToolState,
  { email, fieldValues = [], ...named }: Record<string, unknown>,
): FakeAnswer {
  if (!isEmail(email)) return refuse(422, 'Email address is invalid', '/data/attributes/email');
  const values = fieldValues as { field: string; value: string }[];
  const contact = state.contact(email);
  for (const key of natives) if (named[key] !== undefined) contact.fields[key] = named[key];
  // A field that does not exist is left out of the answer. A value that is no date becomes empty.
  const taken = values
    .filter(({ field }) => state.fields.has(field))
    .map(({ field, value }) => ({
      contact: contact.id,
      field,
      value: fits(state, field, value) ? value : '',
    }));
  for (const { field, value } of taken) if (value !== '') contact.fields[field] = value;
  // New and known contacts have the same status.
  return ok({ fieldValues: taken, contact: toContact(contact) }, 201);
}

/** Of a date and a time. Other values are texts. */
const forms: Record<string, RegExp> = {
  date: /^\d{4}-\d\d-\d\d$/,
  datetime: /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-])/,
};

const fits = ({ fields }: ToolState, field: string, value: string): boolean =>
  forms[fields.get(field) ?? '']?.test(value) ?? true;

interface Imported {
  email: string;
  first_name?: string;
  last_name?: string;
  phone?: string;
  tags?: string[];
  fields?: { id: number; value: string }[];
  subscribe?: { listid: string }[];
  exclude_automations?: boolean;
}

function importContacts(state: ToolState, contacts: Imported[]): FakeAnswer {
  const failureReasons = contacts.flatMap(({ email }, index) =>
    isEmail(email) ? [] : [{ contact: index, failureReason: "Field 'email' incorrect format" }],
  );
  if (failureReasons.length > 0 || contacts.length > 250) {
    const message = 'JSON payload did not pass validation. The import was not queued for processing.';
    return { status: 400, body: { success: 0, message, failureReasons } };
  }
  for (const {
    email,
    first_name,
    last_name,
    phone,
    tags = [],
    fields = [],
    subscribe = [],
    ...rest
  } of contacts) {
    const contact = state.contact(email);
    const named = Object.entries({ firstName: first_name, lastName: last_name, phone });
    for (const [key, value] of named) if (value !== undefined) contact.fields[key] = value;
    for (const { id, value } of fields)
      if (state.fields.has(String(id)) && fits(state, String(id), value)) contact.fields[String(id)] = value;
    for (const tag of tags) {
      state.tags.add(tag);
      tagContact(state, contact, tag, rest.exclude_automations);
    }
    // An import adds no person to a list that they have left.
    for (const { listid } of subscribe)
      if (contact.consent !== 'left' && !contact.leftLists.has(listid))
        join(state, contact, listid, rest.exclude_automations);
  }
  return ok({
    Success: 1,
    queued_contacts: contacts.length,
    batchId: 'b-1',
    message: 'Contact import queued',
  });
}

function tagContact(state: ToolState, contact: FakeContact, tag: string, isQuiet = false): void {
  if (!contact.tags.has(tag) && !isQuiet) state.automations.push(`tag:${tag}`);
  contact.tags.add(tag);
}

function join(state: ToolState, contact: FakeContact, list: string, isQuiet = false): void {
  if (!contact.lists.has(list) && !isQuiet) state.automations.push(`list:${list}`);
  contact.lists.add(list);
}

function addTag(state: ToolState, { contact: id, tag: tagId }: Record<string, unknown>): FakeAnswer {
  const contact = [...state.contacts.values()].find((each) => each.id === String(id));
  if (!contact) return refuse(404, 'Contact not found');
  const tag = [...state.tags].find((name) => idOf(name) === String(tagId));
  if (tag === undefined) return refuse(404, 'Tag not found');
  tagContact(state, contact, tag);
  return ok({ contactTag: { id: relationOf(contact, tag), contact: id, tag: tagId } }, 201);
}

function changeList(state: ToolState, { list, contact: id, status }: Record<string, unknown>): FakeAnswer {
  const contact = [...state.contacts.values()].find((each) => each.id === String(id));
  if (!contact) return refuse(404, 'Contact not found');
  if (!state.lists.has(String(list))) return refuse(400, 'The list does not exist');
  if (status === '1') {
    // This is the call that brings people back.
    if (contact.consent === 'left') contact.consent = 'given';
    contact.leftLists.delete(String(list));
    join(state, contact, String(list));
  } else {
    contact.lists.delete(String(list));
    contact.leftLists.add(String(list));
  }
  return ok({ contacts: [toContact(contact)], contactList: { list, contact: id, status } });
}
