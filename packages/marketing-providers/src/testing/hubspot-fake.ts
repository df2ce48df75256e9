// https://developers.hubspot.com/docs/api-reference/2026-03, /docs/developer-tooling/platform/usage-guidelines and /docs/api-reference/error-handling
import { type FakeAnswer, type FakeContact, isEmail, type ToolRules, type ToolState } from './tool-fake.ts';

const error = (status: number, category: string, message: string, more: object = {}): FakeAnswer => ({
  status,
  body: {
    status: 'error',
    message,
    correlationId: 'a43683b0-5717-4ceb-80b4-104d02915d8c',
    category,
    ...more,
  },
});

interface Fault {
  isValid: false;
  message: string;
  error: string;
  name: string;
}

type Properties = Record<string, unknown>;

export const hubspotFake: ToolRules = {
  credential: { key: 'pat-eu1-01234567-89ab-cdef-0123-456789abcdef' },
  samples: {
    text: 'last_webinar',
    name: 'firstname',
    number: 'watched_percent',
    lists: ['11', '12'],
    event: 'pe123_attended',
    unknownField: 'refused',
    wrongType: { key: 'watched_percent', value: 'many', becomes: 'refused' },
    // The window of ten seconds.
    retryAfterMs: 10_000,
    keysHaveScopes: true,
    textType: 'string',
    fieldTypes: ['text', 'number', 'boolean', 'date', 'datetime', 'choice', 'multiple_choice'],
  },
  setUp({ fields, lists, eventNames }) {
    for (const key of ['firstname', 'lastname', 'last_webinar']) fields.set(key, 'string');
    fields.set('watched_percent', 'number').set('seen_on', 'date').set('seen_at', 'datetime');
    fields.set('attended', 'bool').set('plan', 'enumeration').set('topics', 'enumeration checkbox');
    lists.set('11', 'Webinar people').set('12', 'Old list');
    eventNames.add('pe123_attended');
  },
  keyOf: ({ headers }) => headers['authorization']?.replace('Bearer ', ''),
  refused: (key) => error(401, 'INVALID_AUTHENTICATION', `Authentication credentials not found for ${key}.`),
  forbidden: error(403, 'MISSING_SCOPES', 'This app has not been granted all required scopes.', {
    errors: [{ message: 'Missing', context: { requiredGranularScopes: ['crm.objects.contacts.read'] } }],
  }),
  rateLimited: () =>
    error(429, 'RATE_LIMITS', 'You have reached your ten_secondly_rolling limit.', {
      errorType: 'RATE_LIMIT',
      policyName: 'TEN_SECONDLY_ROLLING',
    }),
  unavailable: error(502, 'SERVER_ERROR', 'Bad gateway'),
  limitsOf: () => [
    { name: 'all', count: 100, windowMs: 10_000 },
    { name: 'all', count: 250_000, windowMs: 86_400_000 },
  ],
  answer(request, state) {
    const { method, path, query } = request;
    const body = (request.body ?? {}) as Properties;
    const [, , , , ...rest] = path.split('/').map(decodeURIComponent);
    if (path.startsWith('/account-info/'))
      return { status: 200, body: { portalId: 123, uiDomain: 'app.hubspot.com' } };
    if (path === '/events/2026-03/send') return saveEvent(state, body);
    if (path.startsWith('/communication-preferences/')) return subscribe(state, body);
    if (path.startsWith('/crm/properties/2026-03/contacts')) return answerProperties(method, state, body);
    if (path === '/crm/lists/2026-03/search') return searchLists(state, body);
    if (path.startsWith('/crm/lists/2026-03/')) return changeMembers(state, path.split('/')[4]!, body);
    if (!path.startsWith('/crm/objects/2026-03/contacts'))
      return error(404, 'OBJECT_NOT_FOUND', `No ${path}`);

    const [id] = rest.slice(1);
    const find = (): FakeContact | undefined =>
      query.get('idProperty') === 'email'
        ? state.contacts.get(String(id).toLowerCase())
        : [...state.contacts.values()].find((contact) => contact.id === id);
    if (id === 'gdpr-delete') return erase(state, String(body['objectId']));
    if (id === 'batch') return upsert(state, body['inputs'] as Input[]);
    if (method === 'GET' && id === undefined) return { status: 200, body: { results: [] } };
    if (method === 'POST') return create(state, body['properties'] as Properties);
    const contact = find();
    if (!contact) return error(404, 'OBJECT_NOT_FOUND', 'resource not found');
    if (method === 'PATCH') {
      const faults = faultsOf(state, body['properties'] as Properties);
      if (faults.length > 0) return invalid(faults);
      save(contact, body['properties'] as Properties);
    }
    return { status: 200, body: toContact(contact) };
  },
};

const toContact = ({ id, email, fields }: FakeContact): object => ({ id, properties: { email, ...fields } });

const invalid = (faults: Fault[]): FakeAnswer =>
  error(400, 'VALIDATION_ERROR', `Property values were not valid: ${JSON.stringify(faults)}`);

function faultsOf({ fields }: ToolState, properties: Properties): Fault[] {
  return Object.entries(properties).flatMap(([name, value]): Fault[] => {
    const fault = (code: string, message: string): Fault[] => [
      { isValid: false, message, error: code, name },
    ];
    if (name === 'email')
      return isEmail(value) ? [] : fault('INVALID_EMAIL', `Email address ${String(value)} is invalid`);
    const type = fields.get(name);
    if (type === undefined) return fault('PROPERTY_DOESNT_EXIST', `Property "${name}" does not exist`);
    if (typeof value !== 'string') return fault('INVALID_TYPE', `${name} was not a text`);
    const [message, fits] = rules[type] ?? ['', () => true];
    return value === '' || fits(value) ? [] : fault('INVALID_VALUE', `${value} was not ${message}.`);
  });
}

const options = ['gold', 'silver'];
const dayMs = 86_400_000;
const isDate = (value: string): boolean => /^\d{4}-\d\d-\d\d$/.test(value);

/** https://developers.hubspot.com/docs/faq/how-should-timestamps-be-formatted-for-hubspots-apis: a date is midnight UTC. */
const rules: Record<string, [message: string, fits: (value: string) => boolean]> = {
  number: ['a valid number', (value) => !Number.isNaN(Number(value))],
  date: ['at midnight UTC', (value) => isDate(value) || Number(value) % dayMs === 0],
  datetime: ['a valid time', (value) => !Number.isNaN(Date.parse(value)) || !Number.isNaN(Number(value))],
  bool: ['a valid boolean', (value) => value === 'true' || value === 'false'],
  enumeration: ['one of the allowed options', (value) => options.includes(value)],
  'enumeration checkbox': [
    'one of the allowed options',
    (value) => value.split(';').every((one) => options.includes(one)),
  ],
};

/** An empty text clears a value. */
function save(contact: FakeContact, properties: Properties): void {
  for (const [key, value] of Object.entries(properties))
    if (key === 'email') continue;
    else if (value === '') delete contact.fields[key];
    else contact.fields[key] = value;
}

function create(state: ToolState, properties: Properties): FakeAnswer {
  const faults = faultsOf(state, properties);
  if (faults.length > 0) return invalid(faults);
  const known = state.contacts.get(String(properties['email']).toLowerCase());
  if (known) return error(409, 'CONFLICT', `Contact already exists. Existing ID: ${known.id}`);
  const contact = state.contact(String(properties['email']));
  save(contact, properties);
  return { status: 201, body: toContact(contact) };
}

interface Input {
  id: string;
  idProperty: string;
  properties: Properties;
  objectWriteTraceId: string;
}

function upsert(state: ToolState, inputs: Input[]): FakeAnswer {
  if (inputs.length > 100) return error(400, 'VALIDATION_ERROR', 'There are more than 100 inputs.');
  // A property that does not exist is a fault of the whole call.
  const gone = inputs
    .flatMap(({ id, properties }) => faultsOf(state, { ...properties, email: id }))
    .filter((fault) => fault.error === 'PROPERTY_DOESNT_EXIST');
  if (gone.length > 0) return invalid([...new Map(gone.map((fault) => [fault.name, fault])).values()]);
  const results: object[] = [];
  const errors: object[] = [];
  for (const { id, properties, objectWriteTraceId } of inputs) {
    const [fault] = faultsOf(state, { ...properties, email: id });
    if (fault) {
      const context = { objectWriteTraceId: [objectWriteTraceId], propertyName: [fault.name] };
      const { message, error: code } = fault;
      errors.push({
        status: 'error',
        category: 'VALIDATION_ERROR',
        message,
        context,
        errors: [{ message, code, context: { propertyName: [fault.name] } }],
      });
      continue;
    }
    const contact = state.contact(id);
    save(contact, properties);
    results.push({ ...toContact(contact), objectWriteTraceId });
  }
  if (errors.length === 0) return { status: 200, body: { status: 'COMPLETE', results } };
  return { status: 207, body: { status: 'COMPLETE', results, errors, numErrors: errors.length } };
}

function answerProperties(method: string, { fields }: ToolState, body: Properties): FakeAnswer {
  if (method === 'POST') {
    const name = String(body['name']);
    if (!/^[a-z][a-z0-9_]*$/.test(name)) return error(400, 'VALIDATION_ERROR', 'The name is not valid.');
    if (fields.has(name)) return error(409, 'CONFLICT', `A property named '${name}' already exists.`);
    fields.set(name, String(body['type']));
    return { status: 201, body };
  }
  const own = [...fields].map(([name, typeAndForm]) => {
    const [type = '', fieldType = 'text'] = typeAndForm.split(' ');
    const own = type === 'enumeration' ? options.map((value) => ({ value, label: value })) : [];
    return { name, label: name, type, fieldType, options: own };
  });
  const general = { type: 'string', fieldType: 'text', options: [] };
  const results = [
    ...own,
    { ...general, name: 'email', label: 'Email' },
    { ...general, name: 'hs_object_id', label: 'Id', modificationMetadata: { readOnlyValue: true } },
  ];
  return { status: 200, body: { results } };
}

function searchLists({ lists }: ToolState, body: Properties): FakeAnswer {
  const offset = Number(body['offset']);
  const end = offset + Math.min(500, Number(body['count']));
  const found = [...lists]
    .slice(offset, end)
    .map(([listId, name]) => ({ listId, name, processingType: 'MANUAL' }));
  return { status: 200, body: { lists: found, offset: end, hasMore: end < lists.size, total: lists.size } };
}

function changeMembers(state: ToolState, list: string, body: Properties): FakeAnswer {
  if (!state.lists.has(list)) return error(404, 'OBJECT_NOT_FOUND', `List ${list} does not exist.`);
  const add = body['recordIdsToAdd'] as string[];
  const remove = body['recordIdsToRemove'] as string[];
  for (const contact of state.contacts.values()) {
    if (remove.includes(contact.id)) contact.lists.delete(list);
    if (!add.includes(contact.id) || contact.lists.has(list)) continue;
    contact.lists.add(list);
    state.automations.push(`list:${list}`);
  }
  return { status: 200, body: { recordsIdsAdded: add, recordIdsRemoved: remove, recordIdsMissing: [] } };
}

function saveEvent(state: ToolState, body: Properties): FakeAnswer {
  const { eventName, uuid, email, properties } = body as Record<string, string> & {
    properties: Record<string, string>;
  };
  if (!state.eventNames.has(eventName!))
    return error(400, 'VALIDATION_ERROR', `The event type ${eventName} does not exist.`);
  if (Object.values(properties).some((value) => typeof value !== 'string'))
    return error(400, 'VALIDATION_ERROR', 'Values of properties are texts.');
  if (state.events.some(({ id, name }) => id === uuid && name === eventName))
    return error(409, 'CONFLICT', `An event with uuid ${uuid} exists.`);
  state.events.push({ id: uuid, email: email!, name: eventName!, properties });
  state.automations.push(`event:${eventName}`);
  return { status: 204 };
}

function erase(state: ToolState, id: string): FakeAnswer {
  const contact = [...state.contacts.values()].find((each) => each.id === id);
  if (!contact) return error(404, 'OBJECT_NOT_FOUND', 'resource not found');
  state.contacts.delete(contact.email.toLowerCase());
  state.erased.push(contact.email);
  return { status: 204 };
}

/** Must never be called: it overrules what a person has decided. */
function subscribe(state: ToolState, body: Properties): FakeAnswer {
  state.contact(String(body['subscriberIdString'])).consent =
    body['statusState'] === 'SUBSCRIBED' ? 'given' : 'left';
  return { status: 200 };
}
