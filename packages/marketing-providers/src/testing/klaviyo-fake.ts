// https://developers.klaviyo.com/en/docs/rate_limits_and_error_handling and github.com/klaviyo/openapi, revision 2026-07-15
import { type FakeAnswer, type FakeContact, isEmail, type ToolRules, type ToolState } from './tool-fake.ts';

const error = (status: number, code: string, detail: string, pointer = '/data'): FakeAnswer => ({
  status,
  headers: { 'content-type': 'application/vnd.api+json' },
  body: { errors: [{ id: '1', status, code, title: 'Error.', detail, source: { pointer } }] },
});

const data = (status: number, body?: object): FakeAnswer => ({ status, body });

interface Profile {
  type?: unknown;
  id?: unknown;
  attributes?: Record<string, unknown> & { properties?: Record<string, unknown> };
}

const attributeNames = new Set(
  'first_name last_name organization title phone_number locale image'.split(' '),
);
const locationNames = new Set(['address1', 'address2', 'city', 'country', 'region', 'zip', 'timezone']);

export const klaviyoFake: ToolRules = {
  credential: { key: 'pk_0123456789abcdef0123456789abcdef01' },
  samples: {
    text: 'last_webinar',
    name: 'first_name',
    number: 'watched',
    lists: ['L1', 'L2'],
    event: 'Attended webinar',
    // A property exists as soon as it has a value.
    unknownField: 'taken',
    wrongType: { key: 'phone_number', value: 'no phone', becomes: 'refused' },
    retryAfterMs: 7000,
    keysHaveScopes: true,
    textType: 'text',
    fieldTypes: ['text', 'boolean', 'date', 'datetime'],
  },
  setUp({ lists }) {
    for (let number = 1; number <= 12; number++) lists.set(`L${number}`, `List ${number}`);
  },
  keyOf: ({ headers }) => headers['authorization']?.replace('Klaviyo-API-Key ', ''),
  refused: (key) =>
    error(
      401,
      'not_authenticated',
      `Missing or invalid authorization scheme. Please use Klaviyo-API-Key: ${key}`,
    ),
  forbidden: error(403, 'permission_denied', 'You do not have permission to perform this action.'),
  rateLimited: (waitSeconds) => ({
    ...error(429, 'throttled', `Request was throttled. Expected available in ${waitSeconds} second.`),
    headers: { 'retry-after': String(waitSeconds) },
  }),
  unavailable: error(503, 'service_unavailable', 'The service is unavailable.'),
  limitsOf({ method, path }) {
    const [, , resource = '', , relationship = ''] = path.split('/');
    const [perSecond, perMinute] =
      resource === 'accounts'
        ? [1, 15]
        : resource === 'events'
          ? [350, 3500]
          : resource === 'data-privacy-deletion-jobs'
            ? [3, 60]
            : relationship || resource.endsWith('-jobs')
              ? [10, 150]
              : [75, 700];
    const name = `${method} ${resource} ${relationship}`;
    return [
      { name, count: perSecond, windowMs: 1000 },
      { name, count: perMinute, windowMs: 60_000 },
    ];
  },
  answer(request, state) {
    const { method, path, query, headers, body } = request;
    if (headers['revision'] !== '2026-07-15') return error(400, 'invalid', 'A revision is required.');
    if (method !== 'GET' && headers['content-type'] !== 'application/vnd.api+json')
      return error(415, 'unsupported_media_type', 'Unsupported media type.');
    const content = (body as { data?: Profile & Profile[] } | undefined)?.data;
    const [, , resource, id = ''] = path.split('/').map(decodeURIComponent);
    switch (`${method} ${resource}${id && '/id'}`) {
      case 'GET accounts':
        return data(200, {
          data: [{ type: 'account', attributes: { contact_information: { organization_name: 'Acme' } } }],
        });
      case 'GET profiles':
        return data(200, { data: findProfiles(state, query) });
      case 'GET lists':
        return listPage(state, Number(query.get('page[cursor]') ?? 0));
      case 'POST profile-import': {
        const isKnown = state.contacts.has(String(content?.attributes?.['email']).toLowerCase());
        const saved = saveProfile(state, content, '/data');
        return 'status' in saved ? saved : data(isKnown ? 200 : 201, { data: toProfile(saved) });
      }
      case 'POST lists/id':
      case 'DELETE lists/id':
        return changeMembers(state, method, id, content ?? []);
      case 'POST events':
        return saveEvent(state, content?.attributes as unknown as KlaviyoEvent);
      case 'POST profile-bulk-import-jobs':
        return importProfiles(state, content?.attributes?.['profiles']);
      case 'POST data-privacy-deletion-jobs': {
        const email = emailIn(content?.attributes?.['profile']);
        if (!state.contacts.delete(email)) return error(404, 'not_found', 'The profile does not exist.');
        state.erased.push(email);
        return data(202);
      }
      // Must never be called: both overrule what a person has decided.
      case 'POST profile-subscription-bulk-create-jobs':
        return subscribe(state, content?.attributes?.['profiles'], 'given');
      case 'POST profile-subscription-bulk-delete-jobs':
        return subscribe(state, content?.attributes?.['profiles'], 'left');
      default:
        return error(404, 'not_found', `There is no ${method} ${path}.`);
    }
  },
};

const toProfile = ({ id, email, fields, consent }: FakeContact): object => {
  const groups = Object.groupBy(Object.entries(fields), ([key]) =>
    key.startsWith('location.') ? 'location' : attributeNames.has(key) ? 'named' : 'properties',
  );
  const places = (groups.location ?? []).map(([key, value]) => [key.slice('location.'.length), value]);
  return {
    type: 'profile',
    id,
    attributes: {
      email,
      ...Object.fromEntries(groups.named ?? []),
      location: Object.fromEntries(places),
      properties: Object.fromEntries(groups.properties ?? []),
      subscriptions: {
        email: { marketing: { consent: consent === 'left' ? 'UNSUBSCRIBED' : 'NEVER_SUBSCRIBED' } },
      },
    },
  };
};

function findProfiles({ contacts }: ToolState, query: URLSearchParams): object[] {
  const filter = query.get('filter');
  if (filter === null) return [...contacts.values()].slice(0, Number(query.get('page[size]'))).map(toProfile);
  const email = String(JSON.parse(/^equals\(email,(".*")\)$/.exec(filter)![1]!));
  const found = contacts.get(email.toLowerCase());
  return found ? [toProfile(found)] : [];
}

function listPage({ lists }: ToolState, from: number): FakeAnswer {
  const items = [...lists].map(([id, name]) => ({ type: 'list', id, attributes: { name } }));
  const next =
    from + 10 < items.length ? `https://a.klaviyo.com/api/lists?page%5Bcursor%5D=${from + 10}` : null;
  return data(200, { data: items.slice(from, from + 10), links: { self: '', next } });
}

/** Refuses what Klaviyo refuses. The contact when the profile is good. */
function saveProfile(state: ToolState, profile: Profile | undefined, at: string): FakeContact | FakeAnswer {
  const fault = faultOf(profile, `${at}/attributes`);
  if (fault) return fault;
  const { email, location, properties, ...named } = profile!.attributes!;
  const contact = state.contact(String(email));
  const places = Object.entries(location ?? {}).map(([key, value]) => [`location.${key}`, value] as const);
  for (const [key, value] of [...Object.entries(named), ...places, ...Object.entries(properties ?? {})])
    if (value === null) delete contact.fields[key];
    else contact.fields[key] = value;
  return contact;
}

function faultOf(profile: Profile | undefined, at: string): FakeAnswer | undefined {
  if (profile?.type !== 'profile') return error(400, 'invalid', "'profile' is expected.", '/data/type');
  const { email, phone_number: phone, location, properties: _, ...named } = profile.attributes ?? {};
  if (!isEmail(email)) return error(400, 'invalid', 'Invalid email address', `${at}/email`);
  if (phone !== undefined && !(typeof phone === 'string' && /^\+\d{8,15}$/.test(phone)))
    return error(400, 'invalid', 'Invalid phone number', `${at}/phone_number`);
  const unknown = Object.keys(named).find((key) => !attributeNames.has(key));
  if (unknown) return error(400, 'invalid', `'${unknown}' is not a valid field`, `${at}/${unknown}`);
  const place = Object.keys(location ?? {}).find((key) => !locationNames.has(key));
  return place === undefined
    ? undefined
    : error(400, 'invalid', 'Not a valid field', `${at}/location/${place}`);
}

function importProfiles(state: ToolState, profiles: unknown): FakeAnswer {
  const all = (profiles as { data: Profile[] }).data;
  const at = '/data/attributes/profiles/data';
  // A call with a bad profile is refused as a whole.
  const fault = all.map((profile, index) => faultOf(profile, `${at}/${index}/attributes`)).find(Boolean);
  if (fault) return fault;
  for (const profile of all) saveProfile(state, profile, at);
  return data(202, { data: { type: 'profile-bulk-import-job', id: 'job-1' } });
}

function changeMembers(state: ToolState, method: string, list: string, members: Profile[]): FakeAnswer {
  if (!state.lists.has(list)) return error(404, 'not_found', `A list with id ${list} does not exist.`);
  for (const { id } of members) {
    const contact = [...state.contacts.values()].find((each) => each.id === id);
    if (!contact) return error(404, 'not_found', `A profile with id ${String(id)} does not exist.`);
    if (method === 'DELETE') contact.lists.delete(list);
    else if (!contact.lists.has(list)) {
      contact.lists.add(list);
      state.automations.push(`list:${list}`);
    }
  }
  return data(204);
}

interface KlaviyoEvent {
  unique_id: string;
  backfill?: boolean;
  metric: { data: { attributes: { name: string } } };
  profile: { data: Profile };
  properties: Record<string, unknown>;
  value?: number;
  value_currency?: string;
}

function saveEvent(state: ToolState, event: KlaviyoEvent): FakeAnswer {
  const { name } = event.metric.data.attributes;
  if (name.length >= 128 || name === '')
    return error(
      400,
      'invalid',
      'The name of a metric has 1 to 127 characters.',
      '/data/attributes/metric/name',
    );
  const saved = saveProfile(state, event.profile.data, '/data/attributes/profile/data');
  if ('status' in saved) return saved;
  const { unique_id: id, properties } = event;
  const isKnown = state.events.some(
    (each) => each.id === id && each.email === saved.email && each.name === name,
  );
  if (!isKnown) {
    const { value, value_currency: currency } = event;
    state.events.push({
      id,
      email: saved.email,
      name,
      properties,
      ...(value !== undefined && { value }),
      ...(currency !== undefined && { currency }),
    });
    if (!event.backfill) state.automations.push(`event:${name}`);
  }
  return data(202);
}

const emailIn = (profile: unknown): string =>
  String((profile as { data: Profile }).data.attributes?.['email']).toLowerCase();

function subscribe(state: ToolState, profiles: unknown, consent: 'given' | 'left'): FakeAnswer {
  for (const item of (profiles as { data: Profile[] }).data)
    state.contact(emailIn({ data: item })).consent = consent;
  return data(202);
}
