// https://developers.brevo.com/reference
import { type FakeAnswer, type FakeContact, isEmail, type ToolRules, type ToolState } from './tool-fake.ts';

const refuse = (status: number, code: string, message: string): FakeAnswer => ({
  status,
  body: { code, message },
});
const ok = (status: number, body?: object): FakeAnswer => ({ status, body });
const hourMs = 60 * 60 * 1000;

export const brevoMarketingFake: ToolRules = {
  credential: { key: 'xkeysib-0123456789abcdef0123456789abcdef-AbCdEfGhIjKl' },
  samples: {
    text: 'LAST_WEBINAR',
    name: 'FIRSTNAME',
    number: 'MINUTES',
    lists: ['1', '2'],
    event: 'webinar_attended',
    unknownField: 'dropped',
    wrongType: { key: 'SEEN', value: 'yesterday', becomes: 'dropped' },
    retryAfterMs: 7000,
    keepsLeftLists: true,
    keysHaveScopes: false,
    textType: 'text',
    fieldTypes: ['text', 'number', 'boolean', 'date'],
  },
  setUp({ fields, lists }) {
    for (const [key, type] of Object.entries({
      FIRSTNAME: 'text',
      LASTNAME: 'text',
      SMS: 'text',
      LAST_WEBINAR: 'text',
      COMPANY: 'text',
      MINUTES: 'float',
      VIP: 'boolean',
      SEEN: 'date',
    }))
      fields.set(key, type);
    for (let number = 1; number <= 60; number++) lists.set(String(number), `List ${number}`);
  },
  keyOf: ({ headers }) => headers['api-key'],
  refused: (key) => refuse(401, 'unauthorized', `Key not found: ${key}`),
  forbidden: refuse(403, 'permission_denied', 'Your account may not use this feature.'),
  rateLimited: (waitSeconds) => ({
    ...refuse(429, 'too_many_requests', 'Too many requests'),
    headers: { 'x-sib-ratelimit-remaining': '0', 'x-sib-ratelimit-reset': String(waitSeconds) },
  }),
  unavailable: refuse(503, 'service_unavailable', 'Service unavailable'),
  limitsOf({ path }) {
    const [, , resource = ''] = path.split('/');
    if (resource !== 'contacts' && resource !== 'events')
      return [{ name: 'other', count: 100, windowMs: hourMs }];
    return [
      { name: resource, count: 10, windowMs: 1000 },
      { name: resource, count: 36_000, windowMs: hourMs },
    ];
  },
  answer(request, state) {
    const { method, path, query } = request;
    const body = (request.body ?? {}) as Record<string, unknown>;
    const [, version, resource, id = '', third = '', , verb = ''] = path.split('/').map(decodeURIComponent);
    if (version !== 'v3') return refuse(404, 'document_not_found', 'Not found');
    const call = `${method} ${resource}`;
    if (call === 'GET account') return ok(200, { email: 'owner@example.com', companyName: 'Acme' });
    if (call === 'GET contacts' && id === 'attributes') return ok(200, { attributes: toAttributes(state) });
    if (call === 'POST contacts' && id === 'attributes') {
      const name = path.split('/')[5]!;
      if (state.fields.has(name)) return refuse(400, 'invalid_parameter', 'Attribute name must be unique');
      state.fields.set(name, String(body['type']));
      return ok(201);
    }
    if (call === 'GET contacts' && id === 'lists') {
      const from = Number(query.get('offset'));
      const lists = [...state.lists].map(([listId, name]) => ({ id: Number(listId), name }));
      // Brevo has no list in the answer where there are none.
      const page = lists.slice(from, from + Math.min(50, Number(query.get('limit') ?? 10)));
      return ok(200, page.length > 0 ? { lists: page, count: lists.length } : { count: lists.length });
    }
    if (call === 'POST contacts' && id === 'lists') return changeMembers(state, third, verb, body);
    if (call === 'POST contacts' && id === '') return saveContact(state, body);
    if (call === 'POST events') return saveEvent(state, body);
    const known = state.contacts.get(id.toLowerCase());
    if (!known) return refuse(404, 'document_not_found', 'Contact does not exist');
    if (call === 'GET contacts') return ok(200, toContact(known));
    if (call !== 'DELETE contacts') return refuse(405, 'method_not_allowed', 'Method not allowed');
    state.contacts.delete(id.toLowerCase());
    state.erased.push(id.toLowerCase());
    return ok(204);
  },
};

const toAttributes = ({ fields }: ToolState): object[] => [
  ...[...fields].map(([name, type]) => ({ name, category: 'normal', type })),
  { name: 'BLACKLIST', category: 'global', calculatedValue: 'COUNT[BLACKLISTED]' },
  { name: 'GENDER', category: 'category', enumeration: [{ value: 1, label: 'woman' }] },
];

const toContact = ({ id, email, fields, lists, consent, leftLists }: FakeContact): object => ({
  id: Number(id),
  email,
  emailBlacklisted: consent === 'left',
  smsBlacklisted: false,
  listIds: [...lists].map(Number),
  // Brevo leaves the entry out where there are none.
  ...((consent === 'left' || leftLists.size > 0) && { listUnsubscribed: [...leftLists].map(Number) }),
  attributes: { EMAIL: email, ...fields },
});

const isOfType: Record<string, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  float: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
};

function saveContact(state: ToolState, body: Record<string, unknown>): FakeAnswer {
  const { email, attributes = {}, listIds = [], emailBlacklisted, updateEnabled } = body;
  if (!isEmail(email)) return refuse(400, 'invalid_parameter', 'Invalid email address');
  const values = attributes as Record<string, unknown>;
  if (values['SMS'] !== undefined && !/^"\+?\d{6,15}"$/.test(JSON.stringify(values['SMS'])))
    return refuse(400, 'invalid_parameter', 'Invalid phone number');
  const isNew = !state.contacts.has(email.toLowerCase());
  if (!isNew && updateEnabled !== true) return refuse(400, 'duplicate_parameter', 'Contact already exist');
  const contact = state.contact(email);
  // This is the call that brings people back.
  if (emailBlacklisted !== undefined) contact.consent = emailBlacklisted === true ? 'left' : 'given';
  // An attribute that does not exist, and a value of another type, are ignored without a word.
  for (const [key, value] of Object.entries(values))
    if (isOfType[state.fields.get(key) ?? '']?.(value)) contact.fields[key] = value;
  for (const list of listIds as number[]) join(state, contact, String(list));
  return isNew ? ok(201, { id: Number(contact.id) }) : ok(204);
}

function join(state: ToolState, contact: FakeContact, list: string): void {
  if (!contact.lists.has(list)) state.automations.push(`list:${list}`);
  contact.lists.add(list);
}

function changeMembers(
  state: ToolState,
  list: string,
  verb: string,
  body: Record<string, unknown>,
): FakeAnswer {
  if (!state.lists.has(list)) return refuse(404, 'document_not_found', 'List ID does not exist');
  const [email] = body['emails'] as string[];
  const contact = state.contacts.get(email!.toLowerCase());
  const isMember = contact?.lists.has(list) === true;
  if (!contact || isMember === (verb === 'add')) {
    const fault = verb === 'add' ? 'in' : 'removed from';
    return refuse(400, 'invalid_parameter', `Contact already ${fault} list and/or does not exist`);
  }
  if (verb === 'add') join(state, contact, list);
  else contact.lists.delete(list);
  return ok(201, { contacts: { success: [email], failure: [] } });
}

function saveEvent(state: ToolState, body: Record<string, unknown>): FakeAnswer {
  const { event_name: name, identifiers, event_properties: properties = {} } = body;
  const email = (identifiers as { email_id?: unknown } | undefined)?.email_id;
  if (!/^[A-Za-z0-9_-]{1,255}$/.test(String(name)) || !isEmail(email))
    return refuse(400, 'invalid_parameter', 'event_name or identifiers are not valid');
  const { event_id: _, amount, currency, ...rest } = properties as Record<string, unknown>;
  state.events.push({
    id: undefined,
    email,
    name: String(name),
    properties: rest,
    ...(amount !== undefined && { value: Number(amount), currency: String(currency) }),
  });
  state.automations.push(`event:${String(name)}`);
  return ok(204);
}
