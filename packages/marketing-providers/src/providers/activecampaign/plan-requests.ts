import { idOr, requestsIn } from '../../define-provider.ts';
import { fieldsToWrite, needsLookup } from '../../field-policy.ts';
import type { ContactChange, Progress, ToolRequest } from '../../marketing-provider.ts';
import { importRequest, isNative } from './bulk-import.ts';

export const toRequest = requestsIn('api');

/** The longest page. */
export const pageMax = 100;

export const lookup = (email: string): ToolRequest =>
  toRequest('lookup', 'Look up contact', `GET /contacts?email=${encodeURIComponent(email)}`);

/** The states of a contact in a list. */
export const subscribed = '1';
export const unsubscribed = '2';

export function plan(change: ContactChange, progress: Progress): readonly ToolRequest[] {
  const { done, learnt } = progress;
  const { email, tags, lists, consent } = change;
  const id = idOr('{contact}', learnt['contact']);
  const fields = fieldsToWrite(change, progress);
  const requests: ToolRequest[] = [];
  if (needsLookup(change)) {
    requests.push(lookup(email));
    const asksValues = change.fields.some(({ key, policy }) => policy === 'if_empty' && !isNative(key));
    if (asksValues && (learnt['contact'] !== undefined || !done.has('lookup')))
      requests.push(toRequest('values', 'Read field values', `GET /contacts/${id}/fieldValues`));
  }
  // Only an import can leave out automations.
  if (change.isBackfill) requests.push(importRequest('import', [{ ...change, fields }]));
  else {
    requests.push(
      toRequest('contact', 'Create or update contact', 'POST /contact/sync', contactBody(email, fields)),
    );
    requests.push(...planTags(tags, progress, id));
    requests.push(
      ...planLists({ ...change, lists: { ...lists, add: consent?.given ? lists.add : [] } }, progress),
    );
  }
  return requests.filter(({ step }) => !done.has(step));
}

const contactBody = (email: string, fields: ContactChange['fields']): object => ({
  contact: {
    email,
    ...Object.fromEntries(
      fields.filter(({ key }) => isNative(key)).map(({ key, value }) => [key, String(value)]),
    ),
    fieldValues: fields
      .filter(({ key }) => !isNative(key))
      .map(({ key, value }) => ({ field: key, value: String(value) })),
  },
});

/** A tag is named by its id. It is taken away by the id of its relation to the contact. */
function planTags(
  { add, remove }: ContactChange['tags'],
  { done, learnt }: Progress,
  contact: string,
): ToolRequest[] {
  const requests: ToolRequest[] = [];
  const tagOf = (name: string): string => learnt[`tag:${name}`] ?? '{tag}';
  const isMissing = (name: string): boolean => done.has(`find-tag:${name}`) && tagOf(name) === '{tag}';
  for (const name of [...add, ...remove].filter((tag) => learnt[`tag:${tag}`] === undefined)) {
    const filter = `filters%5Bsearch%5D%5Beq%5D=${encodeURIComponent(name)}`;
    requests.push(toRequest(`find-tag:${name}`, 'Look up tag', `GET /tags?limit=${pageMax}&${filter}`));
  }
  for (const name of add) {
    const tag = { tag: name, tagType: 'contact' };
    if (isMissing(name)) requests.push(toRequest(`new-tag:${name}`, 'Create tag', 'POST /tags', { tag }));
    const contactTag = { contact, tag: tagOf(name) };
    requests.push(toRequest(`tag:${name}`, 'Add tag', 'POST /contactTags', { contactTag }));
  }
  const removed = remove.filter((name) => !isMissing(name));
  const from = learnt['tags'] ?? '0';
  if (removed.length > 0 && from !== 'all') {
    const path = `/contacts/${contact}/contactTags?limit=${pageMax}&offset=${from}`;
    requests.push(toRequest(`tags:${from}`, 'Read tags of the contact', `GET ${path}`));
  }
  for (const name of removed) {
    const relation = learnt[`contact-tag:${tagOf(name)}`];
    if (relation !== undefined || from !== 'all')
      requests.push(
        toRequest(`untag:${name}`, 'Remove tag', `DELETE /contactTags/${idOr('{contactTag}', relation)}`),
      );
  }
  return requests;
}

function planLists(change: ContactChange, { done, learnt }: Progress): ToolRequest[] {
  const { add, remove } = change.lists;
  if (add.length + remove.length === 0) return [];
  const isRead = done.has('lists');
  const contact = idOr('{contact}', learnt['contact']);
  const unsubscribe = (list: string): ToolRequest =>
    toRequest(`unlist:${list}`, 'Unsubscribe from list', 'POST /contactLists', {
      contactList: { list, contact, status: unsubscribed },
    });
  const joined = add.filter((list) => !isRead || learnt[`list:${list}`] === undefined);
  return [
    toRequest('lists', 'Read lists of the contact', `GET /contacts/${contact}/contactLists?limit=${pageMax}`),
    ...remove.filter((list) => !isRead || learnt[`list:${list}`] === subscribed).map(unsubscribe),
    // An import says nothing about lists that do not exist.
    ...joined.map((list) => toRequest(`list:${list}`, 'Read list', `GET /lists/${encodeURIComponent(list)}`)),
    // Status 1 of /contactLists would bring back a person who leaves between these calls. An import adds no person to a list that they have left.
    ...(joined.length === 0
      ? []
      : [
          importRequest('import-lists', [
            { ...change, fields: [], tags: none, lists: { add: joined, remove: [] } },
          ]),
        ]),
  ];
}

const none: ContactChange['tags'] = { add: [], remove: [] };
