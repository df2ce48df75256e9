// https://mailchimp.com/developer/marketing/api/list-members/ and /docs/errors/
import { createHash } from 'node:crypto';
import { type FakeAnswer, type FakeContact, isEmail, type ToolRules, type ToolState } from './tool-fake.ts';

const error = (status: number, title: string, detail: string, errors?: object[]): FakeAnswer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: {
    type: 'https://mailchimp.com/developer/marketing/docs/errors/',
    title,
    status,
    detail,
    instance: '1',
    errors,
  },
});

const root = '/3.0/lists/a1b2c3d4e5';
const hashes = new Map<string, string>();

/** Remembered, because a contact is found by its hash among all of them. */
function hashOf(email: string): string {
  const known = hashes.get(email);
  if (known !== undefined) return known;
  const hash = createHash('md5').update(email.toLowerCase()).digest('hex');
  hashes.set(email, hash);
  return hash;
}

const statuses = { none: 'transactional', pending: 'pending', given: 'subscribed', left: 'unsubscribed' };
const consents: Record<string, FakeContact['consent']> = {
  transactional: 'none',
  pending: 'pending',
  subscribed: 'given',
  unsubscribed: 'left',
  cleaned: 'left',
};

interface Member {
  email_address?: string;
  status?: string;
  status_if_new?: string;
  merge_fields?: Record<string, unknown>;
  interests?: Record<string, boolean>;
}

export const mailchimpFake: ToolRules = {
  credential: { key: '0123456789abcdef0123456789abcdef-us19', audience: 'a1b2c3d4e5' },
  samples: {
    text: 'LASTWEB',
    name: 'FNAME',
    number: 'WATCHED',
    lists: ['ia1', 'ib2'],
    event: 'webinar_attended',
    unknownField: 'refused',
    wrongType: { key: 'WATCHED', value: 'many', becomes: 'refused' },
    retryAfterMs: 5000,
    keysHaveScopes: false,
    textType: 'text',
    fieldTypes: ['text', 'number', 'date', 'choice'],
    textBytesMax: 255,
  },
  setUp({ fields, lists }) {
    for (const key of ['FNAME', 'LNAME', 'LASTWEB']) fields.set(key, 'text');
    fields.set('WATCHED', 'number').set('SEEN', 'date').set('PLAN', 'dropdown');
    lists.set('ia1', 'Interests: Webinars').set('ib2', 'Interests: Offers');
  },
  keyOf: ({ headers }) => headers['authorization']?.replace('Bearer ', ''),
  refused: (key) =>
    error(
      401,
      'API Key Invalid',
      `Your API key ${key} may be invalid, or it belongs to another data center.`,
    ),
  rateLimited: () =>
    error(429, 'Too Many Requests', 'You have exceeded the limit of 10 simultaneous connections.'),
  unavailable: error(503, 'Service Unavailable', 'Please try again.'),
  // Only open connections are counted.
  limitsOf: () => [],
  answer({ method, path, query, body }, state) {
    const [first = '', second = '', ...rest] = path.slice(root.length + 1).split('/');
    if (!path.startsWith(root))
      return error(404, 'Resource Not Found', 'The requested resource could not be found.');
    const content = (body ?? {}) as Record<string, unknown>;
    if (first === '' && method === 'POST') return importMembers(state, content as { members: Member[] });
    if (first === '')
      return { status: 200, body: { id: 'a1b2c3d4e5', name: 'Acme', double_optin: state.isDoubleOptIn } };
    if (first === 'merge-fields') return answerFields(method, state, content);
    if (first === 'segments')
      return { status: 200, body: { segments: [...state.tags].map((name) => ({ name })) } };
    if (first === 'interest-categories') return answerGroups(state, second);
    const contact = [...state.contacts.values()].find(({ email }) => hashOf(email) === second);
    switch (`${method} ${rest.join('/')}`) {
      case 'PUT ':
        return putMember(state, contact, content, query.has('skip_merge_validation'));
      case 'GET ':
        return contact ? { status: 200, body: toMember(state, contact) } : notFound;
      case 'PATCH ':
        return contact ? putMember(state, contact, content, true) : notFound;
      case 'POST tags':
        return contact ? changeTags(state, contact, content as unknown as TagChange) : notFound;
      case 'POST events':
        return contact ? addEvent(state, contact, content as unknown as Event) : notFound;
      case 'POST actions/delete-permanent':
        if (!contact) return notFound;
        state.contacts.delete(contact.email.toLowerCase());
        state.erased.push(contact.email);
        return { status: 204 };
      default:
        return error(405, 'Method Not Allowed', 'The method is not allowed.');
    }
  },
};

const notFound = error(404, 'Resource Not Found', 'The requested resource could not be found.');

/** Has every field of the audience, also empty ones. */
const toMember = ({ fields, lists }: ToolState, contact: FakeContact): object => ({
  id: hashOf(contact.email),
  email_address: contact.email,
  status: statuses[contact.consent],
  merge_fields: Object.fromEntries([...fields.keys()].map((key) => [key, contact.fields[key] ?? ''])),
  interests: Object.fromEntries([...lists.keys()].map((id) => [id, contact.lists.has(id)])),
});

function putMember(
  state: ToolState,
  known: FakeContact | undefined,
  member: Member,
  skipsRequired: boolean,
): FakeAnswer {
  const { status, status_if_new: statusIfNew, merge_fields: values = {}, interests = {} } = member;
  const email = known?.email ?? member.email_address;
  if (!isEmail(email))
    return error(
      400,
      'Invalid Resource',
      `${email} looks fake or invalid, please enter a real email address.`,
    );
  if (!known && consents[statusIfNew ?? status ?? ''] === undefined)
    return error(400, 'Invalid Resource', 'A status is required.', [
      { field: 'status_if_new', message: 'Required' },
    ]);
  if (!known && state.erased.includes(email))
    return error(
      400,
      'Forgotten Email Not Subscribed',
      `${email} was permanently deleted and cannot be re-imported.`,
    );
  if (!skipsRequired)
    return error(400, 'Invalid Resource', 'Your merge fields were invalid.', [
      { field: 'LNAME', message: 'Required' },
    ]);
  const wrong = Object.entries(values).filter(
    ([key, value]) => value !== '' && !(rules[state.fields.get(key) ?? '']?.(String(value)) ?? true),
  );
  if (wrong.length > 0)
    return error(
      400,
      'Invalid Resource',
      'Your merge fields were invalid.',
      wrong.map(([field]) => ({ field, message: `Please enter a ${state.fields.get(field)}` })),
    );
  const gone = Object.keys(interests).find((id) => !state.lists.has(id));
  if (gone) return error(400, 'Invalid Resource', `Invalid interest ID: ${gone}.`);

  const contact = known ?? state.contact(email);
  const before = contact.consent;
  if (!known) contact.consent = consents[statusIfNew ?? status ?? '']!;
  // Brings people back: https://mailchimp.com/developer/marketing/api/list-members/add-or-update-list-member/
  else if (status !== undefined) contact.consent = consents[status]!;
  if (contact.consent !== before && contact.consent !== 'none')
    state.automations.push(`status:${contact.consent}`);
  for (const [key, value] of Object.entries(values)) {
    // Fields that the audience does not have are dropped.
    if (!state.fields.has(key)) continue;
    if (value === '') delete contact.fields[key];
    else contact.fields[key] = cut(String(value));
  }
  for (const [id, isMember] of Object.entries(interests)) {
    if (!isMember) contact.lists.delete(id);
    else if (!contact.lists.has(id)) {
      contact.lists.add(id);
      state.automations.push(`group:${id}`);
    }
  }
  return { status: 200, body: toMember(state, contact) };
}

const choices = ['gold', 'silver'];

/** https://github.com/mailchimp/fern-marketing-api-docs: merge fields */
const rules: Record<string, (value: string) => boolean> = {
  number: (value) => !Number.isNaN(Number(value)),
  date: (value) => /^(?:\d{4}-\d\d-\d\d|\d{4}\/\d\d\/\d\d|\d\d-\d\d-\d{4}|\d\d\/\d\d\/\d{4})$/.test(value),
  dropdown: (value) => choices.includes(value),
};

/** The longest start of whole characters in 255 bytes. */
function cut(text: string): string {
  let kept = '';
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > 255) break;
    kept += character;
  }
  return kept;
}

interface TagChange {
  tags: { name: string; status: 'active' | 'inactive' }[];
  is_syncing?: boolean;
}

function changeTags(state: ToolState, contact: FakeContact, change: TagChange): FakeAnswer {
  for (const { name, status } of change.tags) {
    if (status === 'inactive') contact.tags.delete(name);
    else if (!contact.tags.has(name)) {
      state.tags.add(name);
      contact.tags.add(name);
      if (!change.is_syncing) state.automations.push(`tag:${name}`);
    }
  }
  return { status: 204 };
}

interface Event {
  name: string;
  properties: Record<string, string>;
  is_syncing?: boolean;
}

function addEvent(
  state: ToolState,
  { email }: FakeContact,
  { name, properties, is_syncing: isSyncing }: Event,
): FakeAnswer {
  if (name.length < 2 || name.length > 30)
    return error(400, 'Invalid Resource', 'The name is invalid.', [
      { field: 'name', message: '2 to 30 characters' },
    ]);
  if (Object.values(properties).some((value) => typeof value !== 'string'))
    return error(400, 'Invalid Resource', 'Properties are texts.', [
      { field: 'properties', message: 'Not a text' },
    ]);
  state.events.push({ id: undefined, email, name, properties });
  if (!isSyncing) state.automations.push(`event:${name}`);
  return { status: 204 };
}

/** The names of the fields that were made, by tag. */
const madeNames = new WeakMap<ToolState['fields'], Map<string, string>>();

function answerFields(method: string, { fields }: ToolState, content: Record<string, unknown>): FakeAnswer {
  const names = madeNames.get(fields) ?? new Map<string, string>();
  if (method === 'POST') {
    const tag = String(content['tag']);
    if (tag.length > 10) return error(400, 'Invalid Resource', 'The tag has more than 10 characters.');
    if (fields.has(tag))
      return error(400, 'Bad Request', `A Merge Field with the tag "${tag}" already exists for this list.`);
    fields.set(tag, String(content['type']));
    madeNames.set(fields, names.set(tag, String(content['name'])));
    return { status: 200, body: { tag } };
  }
  return {
    status: 200,
    body: {
      merge_fields: [...fields].map(([tag, type]) => ({
        tag,
        name: names.get(tag) ?? tag,
        type,
        ...(type === 'dropdown' && { options: { choices } }),
      })),
    },
  };
}

function answerGroups({ lists }: ToolState, category: string): FakeAnswer {
  if (category === '') return { status: 200, body: { categories: [{ id: 'c1', title: 'Interests' }] } };
  const interests = [...lists].map(([id, name]) => ({ id, name: name.replace('Interests: ', '') }));
  return { status: 200, body: { interests } };
}

/** Must never be called: it changes the status of contacts that exist. */
function importMembers(state: ToolState, { members }: { members: Member[] }): FakeAnswer {
  for (const { email_address: email, status } of members) state.contact(email!).consent = consents[status!]!;
  return { status: 200, body: { errors: [] } };
}
