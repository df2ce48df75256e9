// https://developers.kit.com/api-reference
import { crc32 } from 'node:zlib';
import { type FakeAnswer, type FakeContact, isEmail, type ToolRules, type ToolState } from './tool-fake.ts';

const refuse = (status: number, error: string): FakeAnswer => ({ status, body: { errors: [error] } });
const ok = (body?: object, status = 200): FakeAnswer => ({ status, body });

export const kitFake: ToolRules = {
  credential: { key: 'kit_0123456789abcdef0123456789abcdef' },
  samples: {
    text: 'last_webinar',
    name: 'first_name',
    number: 'minutes',
    lists: ['1', '2'],
    event: undefined,
    unknownField: 'refused',
    wrongType: undefined,
    retryAfterMs: undefined,
    keysHaveScopes: false,
    textType: 'text',
    fieldTypes: ['text'],
    numberIsText: true,
  },
  setUp({ fields, tags }) {
    for (const key of ['last_name', 'last_webinar', 'minutes', 'company']) fields.set(key, 'text');
    for (const name of ['customer', 'attended']) tags.add(name);
  },
  keyOf: ({ headers }) => headers['x-kit-api-key'],
  refused: (key) => refuse(401, `The access token is invalid: ${key}`),
  // No JSON, and no wait.
  rateLimited: () => ({ status: 429, headers: { 'content-type': 'text/plain' }, body: 'Retry later' }),
  unavailable: refuse(503, 'Service unavailable'),
  limitsOf: () => [{ name: 'api', count: 120, windowMs: 60_000 }],
  answer(request, state) {
    const { method, path, query } = request;
    const body = (request.body ?? {}) as Record<string, unknown>;
    const [, version, resource, id = '', relation = '', relatedId = ''] = path.split('/');
    if (version !== 'v4') return refuse(404, 'Not Found');
    const known = [...state.contacts.values()].find((contact) => contact.id === (relatedId || id));
    const tag = [...state.tags].find((name) => idOf(name) === id);
    switch ([method, resource, id && 'id', relation, relatedId && 'id'].filter(Boolean).join(' ')) {
      case 'GET account':
        return ok({
          user: { email: 'owner@example.com' },
          account: { id: 1, name: 'Acme', plan_type: 'creator' },
        });
      case 'GET custom_fields':
        return ok({
          custom_fields: [...state.fields.keys()]
            .slice(0, Number(query.get('per_page') ?? 500))
            .map((key) => ({ id: 1, key, label: key })),
        });
      case 'POST custom_fields': {
        const key = String(body['label']).toLowerCase().replaceAll(/\W+/g, '_').replace(/_$/, '');
        if (state.fields.has(key)) return refuse(422, 'Label has already been taken');
        state.fields.set(key, 'text');
        return ok({ custom_field: { id: 1, key, label: body['label'] } }, 201);
      }
      case 'GET tags':
        return ok({ tags: [...state.tags].map(toTag) });
      case 'POST tags': {
        const name = String(body['name']);
        const isKnown = state.tags.has(name);
        state.tags.add(name);
        return ok({ tag: toTag(name) }, isKnown ? 200 : 201);
      }
      case 'GET subscribers':
        return ok({ subscribers: findSubscribers(state, query) });
      case 'POST subscribers':
        return saveSubscriber(state, body);
      case 'GET subscribers id tags':
        return known ? ok({ tags: [...known.tags].map(toTag) }) : refuse(404, 'Not Found');
      case 'POST tags id subscribers': {
        const tagged = state.contacts.get(String(body['email_address']).toLowerCase());
        if (!tagged || tag === undefined) return refuse(404, 'Not Found');
        if (!tagged.tags.has(tag)) state.automations.push(`tag:${tag}`);
        tagged.tags.add(tag);
        return ok({ subscriber: toSubscriber(tagged, state) }, 201);
      }
      case 'DELETE tags id subscribers id':
        return tag !== undefined && known?.tags.delete(tag) ? ok(undefined, 204) : refuse(404, 'Not Found');
      // Must never be called: it brings people back, and sends them the mail of the form.
      case 'POST forms id subscribers':
        state.contact(String(body['email_address'])).consent = 'given';
        return ok({}, 201);
      default:
        return refuse(404, 'Not Found');
    }
  },
};

const idOf = (tag: string): string => String(crc32(tag));

const toTag = (name: string): object => ({ id: crc32(name), name, created_at: '2026-12-01T17:00:00Z' });

const states = { given: 'active', none: 'inactive', pending: 'inactive', left: 'cancelled' };

const toSubscriber = ({ id, email, fields, consent }: FakeContact, state: ToolState): { state: string } =>
  ({
    id: Number(id),
    first_name: fields['first_name'] ?? null,
    email_address: email,
    state: states[consent],
    fields: Object.fromEntries([...state.fields.keys()].map((key) => [key, fields[key] ?? null])),
  }) as object as { state: string };

function findSubscribers(state: ToolState, query: URLSearchParams): object[] {
  const found = state.contacts.get(String(query.get('email_address')).toLowerCase());
  const subscribers = found ? [toSubscriber(found, state)] : [];
  const status = query.get('status') ?? 'active';
  return subscribers.filter((each) => status === 'all' || each.state === status);
}

function saveSubscriber(state: ToolState, body: Record<string, unknown>): FakeAnswer {
  const { email_address: email, first_name, fields = {}, state: asked = 'active' } = body;
  if (!isEmail(email)) return refuse(422, 'Email address is invalid');
  const isNew = !state.contacts.has(email.toLowerCase());
  const contact = state.contact(email);
  // The state of a known subscriber cannot be changed with this call.
  if (isNew) contact.consent = asked === 'active' ? 'given' : 'none';
  if (first_name !== undefined) contact.fields['first_name'] = first_name;
  const unknown = Object.keys(fields as object).filter((key) => !state.fields.has(key));
  for (const [key, value] of Object.entries(fields as object))
    if (state.fields.has(key)) contact.fields[key] = value;
  const warnings = unknown.map((key) => `The custom field "${key}" does not exist and was ignored.`);
  const answer = { subscriber: toSubscriber(contact, state), ...(warnings.length > 0 && { warnings }) };
  return ok(answer, isNew ? 201 : 200);
}
