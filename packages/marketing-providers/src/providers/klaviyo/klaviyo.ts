// https://developers.klaviyo.com/en/reference/api_overview and github.com/klaviyo/openapi (MIT), revision 2026-07-15
import { keyField } from '@service/outbound-http';
import { z } from 'zod';
import { defineProvider, noId, readRequest, reasonOf, refusalOf, requestsIn } from '../../define-provider.ts';
import { fieldsToWrite, keysToLookUp, learnContact, needsLookup } from '../../field-policy.ts';
import type {
  Answer,
  ContactChange,
  ContactEvent,
  FieldChange,
  JobResult,
  MarketingProvider,
  Progress,
  RefusedField,
  StepOutcome,
  ToolRequest,
} from '../../marketing-provider.ts';
import { at, listAt, textAt } from '../../read-json.ts';
import { attributes, cursorOf, readCatalogue, readLists } from './klaviyo-catalogue.ts';

const credential = z.object({
  key: keyField({
    label: 'Private API key',
    placeholder: 'pk_...',
    help: 'Klaviyo > Settings > API keys > Create private API key. Full access, or these scopes: accounts read, events full, lists full, profiles full and, to erase people, data privacy full.',
  }),
});

const eventNameMax = 127;

const windows = (perSecond: number, perMinute: number) => [
  { count: perSecond, windowMs: 1000 },
  { count: perMinute, windowMs: 60_000 },
];

const pathOfJob = (id: string): string => `/profile-bulk-import-jobs/${encodeURIComponent(id)}`;

const errorsRequest = (id: string): ToolRequest =>
  requestsIn('imports')(
    `errors:${id}`,
    'Read import errors',
    `GET ${pathOfJob(id)}/import-errors?fields[import-error]=detail,original_payload&page[size]=100`,
  );

/** The longest page of errors. */
const errorsMax = 100;

/** https://developers.klaviyo.com/en/reference/get_bulk_import_profiles_job and /get_errors_for_bulk_import_profiles_job */
const importJob: NonNullable<NonNullable<MarketingProvider['batch']>['job']> = {
  idOf: ({ json }) => textAt(json, 'data', 'id'),

  plan: (id) =>
    requestsIn('imports')(
      `job:${id}`,
      'Read import',
      `GET ${pathOfJob(id)}?fields[profile-bulk-import-job]=status,failed_count`,
    ),

  read({ step, path }, { json }): JobResult | 'pending' {
    const [kind, id = ''] = step.split(/:(.*)/s);
    if (kind === 'job') {
      const status = textAt(json, 'data', 'attributes', 'status');
      if (status !== 'complete' && status !== 'cancelled') return 'pending';
      const failed = Number(textAt(json, 'data', 'attributes', 'failed_count') ?? 0);
      return { refused: [], ...(failed > 0 && { next: errorsRequest(id) }) };
    }
    const refused = listAt(json, 'data')
      .slice(0, errorsMax)
      .flatMap((error) => {
        const payload = ['attributes', 'original_payload'];
        const email =
          textAt(error, ...payload, 'attributes', 'email') ??
          textAt(error, ...payload, 'data', 'attributes', 'email') ??
          textAt(error, ...payload, 'email');
        return email === undefined
          ? []
          : [{ email, reason: textAt(error, 'attributes', 'detail') ?? 'The import refused the profile.' }];
      });
    const cursor = cursorOf(json);
    const first = errorsRequest(id);
    const next =
      cursor === undefined ? undefined : { ...first, path: `${first.path}&page[cursor]=${cursor}` };
    return { refused, ...(next && next.path !== path && { next }) };
  },
};

export const klaviyo = defineProvider({
  id: 'klaviyo',
  name: 'Klaviyo',
  words: { field: 'Property', tag: undefined, list: 'List' },
  credential,
  baseUrl: () => 'https://a.klaviyo.com/api',
  headers: ({ key }) => ({
    authorization: `Klaviyo-API-Key ${key}`,
    revision: '2026-07-15',
    accept: 'application/vnd.api+json',
    'content-type': 'application/vnd.api+json',
  }),
  limits: {
    // The reference gives 750 a minute, the guide of the limits 700.
    profiles: windows(75, 700),
    profile_import: windows(75, 700),
    events: windows(350, 3500),
    list_additions: windows(10, 150),
    list_removals: windows(10, 150),
    imports: windows(10, 150),
    deletions: windows(3, 60),
  },
  open: 10,
  events: { exist: true, areIdempotent: true, nameMax: eventNameMax },
  takesNewFields: true,

  async verify(_, call) {
    const account = await call(readRequest('Read account', '/accounts'));
    const refusal =
      refusalOf(account) ??
      refusalOf(await call(readRequest('Read profiles', '/profiles?page[size]=1'))) ??
      refusalOf(await call(readLists));
    if (refusal || 'lost' in account) return refusal!;
    const name = textAt(account.json, 'data', 0, 'attributes', 'contact_information', 'organization_name');
    return { kind: 'accepted', account: name };
  },

  catalogue: readCatalogue,
  plan,
  read,

  batch: {
    max: 1000,
    // A job takes values, but neither lists that differ between people, nor conditions, nor events.
    suits: (change) => plan(change, { done: new Set(), learnt: {} }).every(({ step }) => step === 'contact'),
    plan: (changes) =>
      requestsIn('imports')('batch', 'Import profiles', 'POST /profile-bulk-import-jobs', {
        data: {
          type: 'profile-bulk-import-job',
          attributes: { profiles: { data: changes.map(({ email, fields }) => profile(email, fields)) } },
        },
      }),
    read: (_, { status }, changes) => (status === 202 ? changes.map(() => ({ kind: 'done' })) : undefined),
    job: importJob,
  },

  erase: (email, { done }) =>
    done.has('erase')
      ? []
      : [
          requestsIn('deletions')('erase', 'Request profile deletion', 'POST /data-privacy-deletion-jobs', {
            data: {
              type: 'data-privacy-deletion-job',
              attributes: { profile: { data: { type: 'profile', attributes: { email } } } },
            },
          }),
        ],
});

function plan(change: ContactChange, progress: Progress): readonly ToolRequest[] {
  const { email, lists, events, consent, isBackfill } = change;
  const { contact } = progress.learnt;
  const fields = fieldsToWrite(change, progress);
  // A list that a person joins starts flows, and no call prevents it.
  const added = consent?.given && !isBackfill ? lists.add : [];
  const needsId = added.length > 0 || lists.remove.length > 0;
  const requests = needsLookup(change) ? [lookup(change)] : [];
  // An event creates the profile too.
  if (fields.length > 0 || (contact === undefined && (needsId || events.length === 0)))
    requests.push(
      requestsIn('profile_import')('contact', 'Create or update profile', 'POST /profile-import', {
        data: profile(email, fields),
      }),
    );
  const id = contact ?? '{contact}';
  requests.push(
    ...lists.remove.map((list) => membership('DELETE', list, id)),
    ...added.map((list) => membership('POST', list, id)),
    ...events.map((event) => eventRequest(change, event)),
  );
  return requests.filter(({ step }) => !progress.done.has(step));
}

function lookup(change: ContactChange): ToolRequest {
  const asked = keysToLookUp(change).map((key) => (Object.hasOwn(attributes, key) ? key : 'properties'));
  const filter = encodeURIComponent(`equals(email,${JSON.stringify(change.email)})`);
  const names = [...new Set(['email', ...asked])].join(',');
  const call = `GET /profiles?filter=${filter}&fields[profile]=${names}` as const;
  return requestsIn('profiles')('lookup', 'Look up profile', call);
}

/** A profile with these values. Those that are not named stay as they are. */
function profile(email: string, fields: readonly FieldChange[]): { type: 'profile'; attributes: object } {
  const isNamed = ({ key }: FieldChange): boolean => Object.hasOwn(attributes, key);
  const isPlace = ({ key }: FieldChange): boolean => isNamed({ key } as FieldChange) && key.includes('.');
  const text = ({ key, value }: FieldChange) => [key.replace('location.', ''), String(value)];
  const location = Object.fromEntries(fields.filter(isPlace).map(text));
  const properties = fields.filter((field) => !isNamed(field)).map(({ key, value }) => [key, value]);
  return {
    type: 'profile',
    attributes: {
      email,
      ...Object.fromEntries(fields.filter((field) => isNamed(field) && !isPlace(field)).map(text)),
      ...(Object.keys(location).length > 0 && { location }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    },
  };
}

/** Changes no consent: https://developers.klaviyo.com/en/reference/add_profiles_to_list */
function membership(method: 'POST' | 'DELETE', list: string, id: string): ToolRequest {
  const call = `${method} /lists/${encodeURIComponent(list)}/relationships/profiles` as const;
  const body = { data: [{ type: 'profile', id }] };
  return method === 'POST'
    ? requestsIn('list_additions')(`list:${list}`, 'Add profile to list', call, body)
    : requestsIn('list_removals')(`unlist:${list}`, 'Remove profile from list', call, body);
}

const eventRequest = ({ email, isBackfill }: ContactChange, event: ContactEvent): ToolRequest =>
  requestsIn('events')(`event:${event.id}`, 'Create event', 'POST /events', {
    data: {
      type: 'event',
      attributes: {
        unique_id: event.id,
        time: event.at.toISOString(),
        backfill: isBackfill,
        properties: event.properties,
        ...(event.value && { value: event.value.amount, value_currency: event.value.currency }),
        metric: {
          data: { type: 'metric', attributes: { name: event.name.slice(0, eventNameMax).toWellFormed() } },
        },
        profile: { data: { type: 'profile', attributes: { email } } },
      },
    },
  });

function read(request: ToolRequest, answer: Answer, change: ContactChange): StepOutcome | undefined {
  const { status, json } = answer;
  const [kind, key = ''] = request.step.split(/:(.*)/s);
  const reason = reasonOf(answer);
  if (kind === 'lookup' && status === 200) {
    // Empty for an unknown address.
    if (!Array.isArray(at(json, 'data'))) return noId(answer);
    const values = at(json, 'data', 0, 'attributes');
    const valueOf = (name: string): unknown =>
      Object.hasOwn(attributes, name) ? at(values, ...name.split('.')) : at(values, 'properties', name);
    return { kind: 'done', learnt: learnContact(textAt(json, 'data', 0, 'id'), change, valueOf) };
  }
  if (kind === 'contact' && (status === 200 || status === 201)) {
    const contact = textAt(json, 'data', 'id');
    return contact === undefined ? noId(answer) : { kind: 'done', learnt: { contact } };
  }
  // A profile that was deleted in between does not name the list.
  if ((kind === 'list' || kind === 'unlist') && status === 404 && reason.includes(key))
    return { kind: 'missing', subject: 'list', key, reason };
  if (kind === 'erase' && status === 404) return { kind: 'done' };
  if (status !== 400) return undefined;

  const faults = listAt(json, 'errors').map((error) => ({
    pointer: textAt(error, 'source', 'pointer') ?? '',
    reason: textAt(error, 'detail') ?? reason,
  }));
  if (kind === 'event' && faults.some(({ pointer }) => pointer.includes('/metric')))
    return {
      kind: 'missing',
      subject: 'event',
      key: change.events.find(({ id }) => id === key)?.name ?? key,
      reason,
    };
  // An event may be the call that makes the profile.
  if ((kind === 'contact' || kind === 'event') && faults.some(({ pointer }) => pointer.endsWith('/email')))
    return { kind: 'person_refused', reason };
  if (kind !== 'contact') return undefined;
  const reasons = new Map(faults.map((fault) => [keyOf(fault.pointer), fault.reason]));
  const fields = change.fields.flatMap(({ key: field }): RefusedField[] => {
    const why = reasons.get(field);
    return why === undefined ? [] : [{ key: field, reason: why }];
  });
  return fields.length === 0 ? undefined : { kind: 'fields_refused', fields, reason };
}

/** The key of the field that a JSON pointer names (RFC 6901). */
const keyOf = (pointer: string): string =>
  pointer
    .replace(/^\/data\/attributes\/(properties\/)?/, '')
    .replace(/^location\//, 'location.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
