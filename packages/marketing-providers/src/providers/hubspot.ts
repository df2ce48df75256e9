// https://developers.hubspot.com/docs/api-reference/2026-03/crm/objects/contacts/guide, and the guides of lists, properties and custom events
import { z } from 'zod';
import {
  defineProvider,
  keyField,
  noId,
  outcomeOfStatus,
  readPages,
  readRequest,
  reasonOf,
  refusalOf,
  throttled,
} from '../define-provider.ts';
import { fieldsToWrite, keysToLookUp, learnContact } from '../field-policy.ts';
import type {
  Answer,
  Call,
  Catalogue,
  CatalogueField,
  ContactChange,
  FieldChange,
  Progress,
  RefusedField,
  StepOutcome,
  ToolRequest,
} from '../marketing-provider.ts';
import { at, listAt, textAt } from '../read-json.ts';

const credential = z.object({
  key: keyField({
    label: 'Access token',
    placeholder: 'pat-...',
    help: 'HubSpot > Settings > Integrations > Private apps > your app > Auth. Scopes: crm.objects.contacts (read, write), crm.schemas.contacts (read, write), crm.lists (read, write) and, for events, analytics.behavioral_events.send.',
  }),
});

const contacts = '/crm/objects/2026-03/contacts';
const properties = '/crm/properties/2026-03/contacts';
const lists = '/crm/lists/2026-03';

export const hubspot = defineProvider({
  id: 'hubspot',
  name: 'HubSpot',
  words: { field: 'Property', tag: undefined, list: 'List' },
  credential,
  baseUrl: () => 'https://api.hubapi.com',
  headers: ({ key }) => ({ authorization: `Bearer ${key}` }),
  // Of the smallest plan. Paid plans have 190 calls in 10 s.
  limits: {
    all: [
      { count: 100, windowMs: 10_000 },
      { count: 250_000, windowMs: 24 * 60 * 60 * 1000 },
    ],
  },
  open: 10,
  // HubSpot refuses a second event with the same UUID for a year.
  events: { exist: true, areIdempotent: true },

  async verify(_, call) {
    const account = await call(readRequest('Read account', '/account-info/2026-03/details'));
    const refusal =
      refusalOf(account) ??
      refusalOf(await call(readRequest('Read contacts', `${contacts}?limit=1`))) ??
      refusalOf(await call(readRequest('Read properties', `${properties}/email`))) ??
      refusalOf(await call(searchLists(0)));
    if (refusal || 'lost' in account) return refusal!;
    const portal = textAt(account.json, 'portalId');
    return { kind: 'accepted', account: portal === undefined ? undefined : `Account ${portal}` };
  },

  catalogue: readCatalogue,

  createField: ({ label, type }) => ({
    step: 'field',
    name: 'Create property',
    limits: ['all'],
    method: 'POST',
    path: properties,
    body: {
      name: `webinar_${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`.replace(/_+$/, '').slice(0, 80),
      label,
      groupName: 'contactinformation',
      ...propertyTypes[type === 'number' || type === 'date' || type === 'boolean' ? type : 'text'],
    },
  }),

  plan,
  read,

  batch: {
    max: 100,
    suits: (change) =>
      change.fields.every(({ policy }) => policy === 'always') &&
      [...change.lists.add, ...change.lists.remove, ...change.events].length === 0,
    plan: (changes) =>
      write('batch', 'Create or update contacts', 'POST', `${contacts}/batch/upsert`, {
        inputs: changes.map(({ email, fields }, index) => ({
          idProperty: 'email',
          id: email,
          properties: { email, ...toProperties(fields) },
          // Names the input in an error.
          objectWriteTraceId: String(index),
        })),
      }),
    read: readBatch,
  },

  erase: (email, { done, learnt }) => {
    // HubSpot would block an address for ever that it does not find, so the contact is looked up first.
    const { contact } = learnt;
    if (!done.has('lookup')) return [lookup(email, [])];
    if (contact === undefined || done.has('erase')) return [];
    return [
      write('erase', 'Delete contact permanently', 'POST', `${contacts}/gdpr-delete`, { objectId: contact }),
    ];
  },
});

const propertyTypes = {
  text: { type: 'string', fieldType: 'text' },
  number: { type: 'number', fieldType: 'number' },
  date: { type: 'datetime', fieldType: 'date' },
  boolean: {
    type: 'bool',
    fieldType: 'booleancheckbox',
    options: ['true', 'false'].map((value) => ({ value, label: value === 'true' ? 'Yes' : 'No' })),
  },
};

const write = (
  step: string,
  name: string,
  method: ToolRequest['method'],
  path: string,
  body?: unknown,
): ToolRequest => ({ step, name, limits: ['all'], method, path, body });

const lookup = (email: string, keys: string[]): ToolRequest => {
  const asked = ['email', ...keys].map(encodeURIComponent).join(',');
  const path = `${contacts}/${encodeURIComponent(email)}?idProperty=email&properties=${asked}`;
  return write('lookup', 'Look up contact', 'GET', path);
};

/** Every value of a property is a text: "true", "75". */
const toProperties = (fields: readonly FieldChange[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ key, value }) => [key, String(value)]));

function plan(change: ContactChange, progress: Progress): readonly ToolRequest[] {
  const { email, consent, isBackfill } = change;
  const { contact, created } = progress.learnt;
  const isNew = progress.done.has('lookup') && contact === undefined;
  const values = toProperties(fieldsToWrite(change, progress));
  const id = contact ?? '{contact}';
  const requests = [lookup(email, keysToLookUp(change))];
  if (isNew)
    requests.push(write('create', 'Create contact', 'POST', contacts, { properties: { email, ...values } }));
  else if (created === undefined && Object.keys(values).length > 0)
    requests.push(write('contact', 'Update contact', 'PATCH', `${contacts}/${id}`, { properties: values }));
  // Workflows start when a person joins a list or has an event, and no call prevents it.
  const added = consent?.given && !isBackfill ? change.lists.add : [];
  const member = (kind: 'list' | 'unlist', list: string): ToolRequest =>
    write(
      `${kind}:${list}`,
      kind === 'list' ? 'Add contact to list' : 'Remove contact from list',
      'PUT',
      `${lists}/${encodeURIComponent(list)}/memberships/add-and-remove`,
      { recordIdsToAdd: kind === 'list' ? [id] : [], recordIdsToRemove: kind === 'list' ? [] : [id] },
    );
  requests.push(
    ...change.lists.remove.map((list) => member('unlist', list)),
    ...added.map((list) => member('list', list)),
  );
  for (const event of isBackfill ? [] : change.events)
    requests.push(
      write(`event:${event.id}`, 'Send event', 'POST', '/events/2026-03/send', {
        eventName: event.name,
        uuid: event.id,
        email,
        occurredAt: event.at.toISOString(),
        properties: Object.fromEntries(
          Object.entries(event.properties).map(([key, value]) => [key, String(value)]),
        ),
      }),
    );
  return requests.filter(({ step }) => !progress.done.has(step));
}

function read(request: ToolRequest, answer: Answer, change: ContactChange): StepOutcome | undefined {
  const { status, json } = answer;
  const [kind, key = ''] = request.step.split(/:(.*)/s);
  const reason = reasonOf(answer);
  if (status === 429) return throttled(answer, waitOf(textAt(json, 'policyName')));
  switch (kind) {
    case 'lookup':
      if (status === 404) return { kind: 'done' };
      if (status !== 200) return undefined;
      if (textAt(json, 'id') === undefined) return noId(answer);
      return {
        kind: 'done',
        learnt: learnContact(textAt(json, 'id'), change, (field) => at(json, 'properties', field)),
      };
    case 'create': {
      const contact = textAt(json, 'id');
      if (status === 201)
        return contact ? { kind: 'done', learnt: { contact, created: 'yes' } } : noId(answer);
      // Made by somebody else in the meantime. Its values are kept.
      const existing = status === 409 ? /Existing ID: (\d+)/.exec(reason)?.[1] : undefined;
      if (existing) return { kind: 'done', learnt: learnContact(existing, change, () => 'kept') };
      return readFault(json, change, reason);
    }
    case 'contact':
      return readFault(json, change, reason);
    case 'list':
    case 'unlist':
      // 400: the list has become one that HubSpot fills itself.
      return status === 404 || status === 400 ? { kind: 'missing', subject: 'list', key, reason } : undefined;
    case 'event': {
      if (status === 409) return { kind: 'done' };
      const name = change.events.find(({ id }) => id === key)?.name ?? key;
      const isGone = status === 404 || (status === 400 && reason.includes(name));
      return isGone ? { kind: 'missing', subject: 'event', key: name, reason } : undefined;
    }
    case 'field':
      return status === 409 ? { kind: 'done' } : undefined;
    default:
      return undefined;
  }
}

/** The limits that a 429 names: https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines */
function waitOf(policyName: string | undefined): number {
  if (policyName === 'DAILY') return 60 * 60 * 1000;
  return policyName === 'SECONDLY' ? 1000 : 10_000;
}

/** An error about values: those of the fields, or the address. */
function readFault(json: unknown, { fields }: ContactChange, reason: string): StepOutcome | undefined {
  // The list is in `errors`, or at the end of the message.
  const [, list = ''] = /Property values were not valid: (\[.*\])/s.exec(textAt(json, 'message') ?? '') ?? [];
  const faults = [
    ...parseList(list).map((fault) => ({ key: textAt(fault, 'name'), reason: textAt(fault, 'message') })),
    ...listAt(json, 'errors').map((fault) => ({
      key: textAt(fault, 'context', 'propertyName', 0),
      reason: textAt(fault, 'message'),
    })),
  ];
  if (faults.some(({ key }) => key === 'email')) return { kind: 'person_refused', reason };
  const refused = fields.flatMap(({ key }): RefusedField[] => {
    const fault = faults.find((each) => each.key === key);
    return fault ? [{ key, reason: fault.reason ?? reason }] : [];
  });
  return refused.length > 0 ? { kind: 'fields_refused', fields: refused, reason } : undefined;
}

function parseList(text: string): unknown[] {
  try {
    return listAt({ list: JSON.parse(text) as unknown }, 'list');
  } catch {
    return [];
  }
}

function readBatch(
  _: ToolRequest,
  answer: Answer,
  changes: readonly ContactChange[],
): StepOutcome[] | undefined {
  const { status, json } = answer;
  if (status !== 200 && status !== 207) return undefined;
  const faults = listAt(json, 'errors');
  const written = new Set(listAt(json, 'results').map((result) => textAt(result, 'objectWriteTraceId')));
  return changes.map((change, index): StepOutcome => {
    const trace = String(index);
    const fault = faults.find((each) => listAt(each, 'context', 'objectWriteTraceId').includes(trace));
    if (fault !== undefined) {
      const alone = { ...answer, status: 400, json: fault };
      return readFault(fault, change, reasonOf(alone)) ?? outcomeOfStatus(alone);
    }
    if (written.has(trace)) return { kind: 'done' };
    // HubSpot may answer 200 with neither results nor errors.
    return { kind: 'later', reason: 'The answer does not name this contact.', retryAfterMs: undefined };
  });
}

const searchLists = (offset: number): ToolRequest =>
  write('read', 'Read lists', 'POST', `${lists}/search`, {
    query: '',
    // Contacts, and lists that calls may change.
    objectTypeId: '0-1',
    processingTypes: ['MANUAL', 'SNAPSHOT'],
    additionalProperties: [],
    listIds: [],
    count: 500,
    offset,
  });

async function readCatalogue(call: Call): Promise<Catalogue | { failed: string }> {
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
      return { key, label: textAt(item, 'label') ?? key, type, ...(type === 'choice' && { choices }) };
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
  if (type === 'date' || type === 'datetime') return 'date';
  // Several choices at once are one text with semicolons.
  if (type === 'enumeration') return fieldType === 'checkbox' ? 'other' : 'choice';
  return type === 'string' || type === 'phone_number' ? 'text' : 'other';
}
