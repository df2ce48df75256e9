// https://developers.hubspot.com/docs/api-reference/2026-03/crm/objects/contacts/guide, and the guides of lists, properties and custom events
import { keyField } from '@service/outbound-http';
import { z } from 'zod';
import { defineProvider, readRequest, refusalOf, requestsIn } from '../../define-provider.ts';
import { fieldsToWrite, keysToLookUp, needsLookup } from '../../field-policy.ts';
import type { ContactChange, FieldChange, Progress, ToolRequest } from '../../marketing-provider.ts';
import { textAt } from '../../read-json.ts';
import { lists, properties, readCatalogue, searchLists } from './hubspot-catalogue.ts';
import { read, readBatch } from './read.ts';

const contacts = '/crm/objects/2026-03/contacts';
const toRequest = requestsIn('all');

const credential = z.object({
  key: keyField({
    label: 'Access token',
    placeholder: 'pat-...',
    help: 'HubSpot > Settings > Integrations > Private apps > your app > Auth. Scopes: crm.objects.contacts (read, write), crm.schemas.contacts (read, write), crm.lists (read, write) and, for events, analytics.behavioral_events.send.',
  }),
});

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

  createField: ({ label, kind }) =>
    toRequest('field', 'Create property', `POST ${properties}`, {
      name: `webinar_${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`.replace(/_+$/, '').slice(0, 80),
      label,
      groupName: 'contactinformation',
      ...propertyTypes[kind],
    }),

  plan,
  read,

  batch: {
    max: 100,
    // The call takes values, but neither lists, nor conditions, nor events.
    suits: (change) =>
      !needsLookup(change) &&
      plan(change, { done: new Set(['lookup']), learnt: { contact: '1' } }).every(
        ({ step }) => step === 'contact',
      ),
    plan: (changes) =>
      toRequest('batch', 'Create or update contacts', `POST ${contacts}/batch/upsert`, {
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
      toRequest('erase', 'Delete contact permanently', `POST ${contacts}/gdpr-delete`, { objectId: contact }),
    ];
  },
});

const propertyTypes = {
  text: { type: 'string', fieldType: 'text' },
  number: { type: 'number', fieldType: 'number' },
  moment: { type: 'datetime', fieldType: 'date' },
  boolean: {
    type: 'bool',
    fieldType: 'booleancheckbox',
    options: ['true', 'false'].map((value) => ({ value, label: value === 'true' ? 'Yes' : 'No' })),
  },
};

const lookup = (email: string, keys: string[]): ToolRequest => {
  const asked = ['email', ...keys].map(encodeURIComponent).join(',');
  const path = `${contacts}/${encodeURIComponent(email)}?idProperty=email&properties=${asked}`;
  return toRequest('lookup', 'Look up contact', `GET ${path}`);
};

/** Every value of a property is a text: "true", "75", "2026-12-01". */
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
    requests.push(
      toRequest('create', 'Create contact', `POST ${contacts}`, { properties: { email, ...values } }),
    );
  else if (created === undefined && Object.keys(values).length > 0)
    requests.push(
      toRequest(
        'contact',
        'Update contact',
        `PATCH ${contacts}/${contact === undefined ? id : encodeURIComponent(id)}`,
        { properties: values },
      ),
    );
  // Workflows start when a person joins a list or has an event, and no call prevents it.
  const added = consent?.given && !isBackfill ? change.lists.add : [];
  const member = (kind: 'list' | 'unlist', list: string): ToolRequest =>
    toRequest(
      `${kind}:${list}`,
      kind === 'list' ? 'Add contact to list' : 'Remove contact from list',
      `PUT ${lists}/${encodeURIComponent(list)}/memberships/add-and-remove`,
      { recordIdsToAdd: kind === 'list' ? [id] : [], recordIdsToRemove: kind === 'list' ? [] : [id] },
    );
  requests.push(
    ...change.lists.remove.map((list) => member('unlist', list)),
    ...added.map((list) => member('list', list)),
  );
  for (const event of isBackfill ? [] : change.events)
    requests.push(
      toRequest(`event:${event.id}`, 'Send event', 'POST /events/2026-03/send', {
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
