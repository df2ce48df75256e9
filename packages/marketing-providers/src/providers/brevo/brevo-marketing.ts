// https://developers.brevo.com/reference: contacts, attributes, lists, events; /docs/api-limits
import { keyField } from '@service/outbound-http';
import { z } from 'zod';
import {
  defineProvider,
  readPages,
  reasonOf,
  readRequest,
  refusalOf,
  requestsIn,
} from '../../define-provider.ts';
import { fieldsToWrite, learnContact, needsLookup } from '../../field-policy.ts';
import type {
  Answer,
  Call,
  Catalogue,
  CatalogueField,
  ContactChange,
  ContactEvent,
  Progress,
  StepOutcome,
  ToolRequest,
} from '../../marketing-provider.ts';
import { at, listAt, textAt } from '../../read-json.ts';

const credential = z.object({
  key: keyField({
    label: 'API key',
    placeholder: 'xkeysib-...',
    help: 'Brevo > SMTP & API > API Keys. If your account allows only listed IP addresses, add those of this service.',
  }),
});

const eventNameMax = 255;

const tenPerSecond = [
  { count: 10, windowMs: 1000 },
  { count: 36_000, windowMs: 60 * 60 * 1000 },
];

/** Without a batch: an import adds all of its people to a list, and its answer comes before its result. */
export const brevoMarketing = defineProvider({
  id: 'brevo',
  name: 'Brevo',
  words: { field: 'Attribute', tag: undefined, list: 'List' },
  credential,
  baseUrl: () => 'https://api.brevo.com/v3',
  headers: ({ key }) => ({ 'api-key': key }),
  limits: { contacts: tenPerSecond, events: tenPerSecond },
  open: 10,
  events: { exist: true, areIdempotent: false, nameMax: eventNameMax },

  createField({ label, kind }) {
    const path = `/contacts/attributes/normal/${toName(label).toUpperCase().replaceAll('-', '_').replace(/^_|_$/g, '')}`;
    return toRequest('field', 'Create attribute', `POST ${path}`, { type: typesOfKind[kind] });
  },

  async verify(_, send) {
    const answer = await send(readRequest('Read account', '/account'));
    const refusal = refusalOf(answer);
    // The key works, but not from the IP addresses of this service.
    if (refusal?.kind === 'refused' && /\bIP\b/.test(refusal.reason))
      return { ...refusal, kind: 'not_allowed' };
    if (refusal || 'lost' in answer) return refusal!;
    return { kind: 'accepted', account: textAt(answer.json, 'companyName') ?? textAt(answer.json, 'email') };
  },

  catalogue: readCatalogue,
  plan,
  read,

  erase: (email, { done }) =>
    done.has('erase') ? [] : [toRequest('erase', 'Delete contact', `DELETE ${pathOf(email)}`)],
});

const toRequest = requestsIn('contacts');

const pathOf = (email: string): string => `/contacts/${encodeURIComponent(email)}?identifierType=email_id`;

/** Letters of ASCII, digits, hyphens and underscores. */
const toName = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9-]+/g, '_');

const typesOfKind = { text: 'text', number: 'float', boolean: 'boolean', moment: 'date' };

const types: Record<string, CatalogueField['type']> = {
  text: 'text',
  float: 'number',
  boolean: 'boolean',
  date: 'date',
};

async function readCatalogue(send: Call): Promise<Catalogue | { failed: string }> {
  const attributes = await readPages(send, readRequest('Read attributes', '/contacts/attributes'), {
    items: (json) => listAt(json, 'attributes'),
    next: () => undefined,
  });
  if ('failed' in attributes) return attributes;
  const pageMax = 50;
  let offset = 0;
  const page = (): ToolRequest =>
    readRequest('Read lists', `/contacts/lists?limit=${pageMax}&offset=${offset}`);
  const lists = await readPages(send, page(), {
    items: (json) => listAt(json, 'lists'),
    next(json) {
      offset += pageMax;
      return listAt(json, 'lists').length < pageMax ? undefined : page();
    },
  });
  if ('failed' in lists) return lists;
  return {
    fields: attributes
      // Values of the other categories are computed by Brevo, or are numbers that stand for choices.
      .filter((attribute) => textAt(attribute, 'category') === 'normal')
      .map((attribute) => {
        const key = textAt(attribute, 'name') ?? '';
        return { key, label: key, type: types[textAt(attribute, 'type') ?? 'text'] ?? 'other' };
      }),
    tags: [],
    lists: lists.map((list) => ({ id: textAt(list, 'id') ?? '', name: textAt(list, 'name') ?? '' })),
  };
}

function plan(change: ContactChange, progress: Progress): readonly ToolRequest[] {
  const { done, learnt } = progress;
  const { email, lists, events, consent, isBackfill } = change;
  const requests: ToolRequest[] = [];
  if (needsLookup(change)) requests.push(toRequest('lookup', 'Look up contact', `GET ${pathOf(email)}`));
  requests.push(
    // `emailBlacklisted` is never sent: the value false brings back a person who has left.
    toRequest('contact', 'Create or update contact', 'POST /contacts', {
      email,
      attributes: Object.fromEntries(fieldsToWrite(change, progress).map(({ key, value }) => [key, value])),
      updateEnabled: true,
    }),
  );
  for (const list of lists.remove) requests.push(membership('remove', list, email));
  if (isBackfill) return requests.filter(({ step }) => !done.has(step));

  // Events and lists start automations, and no call prevents it.
  for (const event of events) requests.push(eventRequest(event, email));
  if (consent?.given && lists.add.length > 0) {
    requests.push(toRequest('lists', 'Read lists of the contact', `GET ${pathOf(email)}`));
    for (const list of lists.add)
      if (learnt[`list:${list}`] === undefined) requests.push(membership('add', list, email));
  }
  return requests.filter(({ step }) => !done.has(step));
}

const membership = (verb: 'add' | 'remove', list: string, email: string): ToolRequest =>
  toRequest(
    `${verb === 'add' ? 'list' : 'unlist'}:${list}`,
    verb === 'add' ? 'Add to list' : 'Remove from list',
    `POST /contacts/lists/${encodeURIComponent(list)}/contacts/${verb}`,
    { emails: [email] },
  );

const eventRequest = (
  { id, name, at: time, properties, value }: ContactEvent,
  email: string,
): ToolRequest => ({
  ...toRequest(`event:${id}`, 'Create event', 'POST /events', {
    event_name: toName(name).slice(0, eventNameMax),
    event_date: time.toISOString(),
    identifiers: { email_id: email },
    event_properties: { ...properties, ...value, event_id: id },
  }),
  limits: ['events'],
});

const notAllowed = new Set(['not_enough_credits', 'permission_denied', 'account_under_validation']);

function read(request: ToolRequest, answer: Answer, change: ContactChange): StepOutcome | undefined {
  const { status, json } = answer;
  const [kind, key = ''] = request.step.split(/:(.*)/s);
  const reason = reasonOf(answer);
  if (notAllowed.has(textAt(json, 'code') ?? '')) return { kind: 'not_allowed', reason };
  if (kind === 'lookup' && (status === 200 || status === 404))
    return {
      kind: 'done',
      learnt: learnContact(textAt(json, 'id'), change, (name) => at(json, 'attributes', name)),
    };
  if (kind === 'lists' && status === 200) return readLists(json, change);
  if (kind === 'contact' && status === 400) return readRefused(answer, change);
  if (kind === 'list' || kind === 'unlist') {
    if (status === 404) return { kind: 'missing', subject: 'list', key, reason };
    // "Contact already in list and/or does not exist"
    if (status === 400 && /already (in|removed from) list/i.test(reason)) return { kind: 'done' };
  }
  if (kind === 'event' && status === 400) {
    const name = change.events.find(({ id }) => id === key)?.name ?? key;
    return { kind: 'missing', subject: 'event', key: name, reason };
  }
  if (kind === 'erase' && status === 404) return { kind: 'done' };
  // "Attribute name must be unique"
  if (kind === 'field' && /must be unique/i.test(reason)) return { kind: 'done' };
  return undefined;
}

/** A person is not added to a list that they have left, and to no list after they have left all mails. */
function readLists(json: unknown, { lists }: ContactChange): StepOutcome {
  const listed = (name: string): string[] => listAt(json, name).flatMap((id) => textAt(id) ?? []);
  const unsubscribed = listed('listUnsubscribed');
  const isLeft = (list: string): boolean =>
    at(json, 'emailBlacklisted') !== false || unsubscribed.includes(list);
  const left = lists.add.filter(isLeft);
  if (left.length === lists.add.length) return { kind: 'left', reason: 'The contact has unsubscribed.' };
  const members = listed('listIds');
  const joined = lists.add.filter((list) => members.includes(list));
  return {
    kind: 'done',
    learnt: Object.fromEntries([...left, ...joined].map((list) => [`list:${list}`, 'set'])),
  };
}

function readRefused(answer: Answer, change: ContactChange): StepOutcome | undefined {
  const reason = reasonOf(answer);
  const named = [
    ...listAt(answer.json, 'metadata', 'duplicate_identifiers'),
    ...(reason.match(/\w+/g) ?? []),
  ];
  // "Invalid phone number" is about the attribute SMS.
  if (/phone/i.test(reason)) named.push('SMS');
  const fields = change.fields.filter(({ key }) => named.includes(key)).map(({ key }) => ({ key, reason }));
  return fields.length === 0 ? undefined : { kind: 'fields_refused', fields, reason };
}
