// https://developers.kit.com/api-reference: subscribers, tags, custom fields, rate limits
import { keyField } from '@service/outbound-http';
import { z } from 'zod';
import {
  defineProvider,
  idOr,
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
  ContactChange,
  Progress,
  StepOutcome,
  ToolRequest,
} from '../../marketing-provider.ts';
import { at, listAt, textAt } from '../../read-json.ts';

const credential = z.object({
  key: keyField({
    label: 'API key',
    placeholder: 'kit_...',
    help: 'Kit > Settings > Developer > V4 keys. A key of version 3 does not work.',
  }),
});

/** Kit has one audience: its active subscribers. Forms and sequences send mails of their own, so people are not added to them. */
export const kit = defineProvider({
  id: 'kit',
  name: 'Kit',
  words: { field: 'Custom field', tag: 'Tag', list: undefined },
  credential,
  baseUrl: () => 'https://api.kit.com/v4',
  headers: ({ key }) => ({ 'x-kit-api-key': key }),
  limits: { api: [{ count: 120, windowMs: 60_000 }] },
  open: 4,
  events: { exist: false, areIdempotent: false },

  createField: ({ label }) => toRequest('field', 'Create custom field', 'POST /custom_fields', { label }),

  async verify(_, send) {
    const answer = await send(readRequest('Read account', '/account'));
    // 401 is also the answer when the trial or the payment of the account has ended.
    const refusal = refusalOf(answer);
    if (refusal || 'lost' in answer) return refusal!;
    return { kind: 'accepted', account: textAt(answer.json, 'account', 'name') };
  },

  catalogue: readCatalogue,
  plan,
  read,
});

const toRequest = requestsIn('api');

async function readCatalogue(send: Call): Promise<Catalogue | { failed: string }> {
  // The longest page. Kit has at most 140 fields.
  const page = (name: string): ReturnType<typeof readPages> =>
    readPages(send, readRequest(`Read ${name}`, `/${name}?per_page=1000`), {
      items: (json) => listAt(json, name),
      next: () => undefined,
    });
  const fields = await page('custom_fields');
  if ('failed' in fields) return fields;
  const tags = await page('tags');
  if ('failed' in tags) return tags;
  return {
    fields: [
      { key: 'first_name', label: 'First name', type: 'text' },
      ...fields.map((field) => ({
        key: textAt(field, 'key') ?? '',
        label: textAt(field, 'label') ?? '',
        type: 'text' as const,
      })),
    ],
    tags: tags.map((tag) => ({ name: textAt(tag, 'name') ?? '' })),
    lists: [],
  };
}

function plan(change: ContactChange, progress: Progress): readonly ToolRequest[] {
  const { done, learnt } = progress;
  const { email, consent, isBackfill } = change;
  const id = idOr('{contact}', learnt['contact']);
  const requests: ToolRequest[] = [];

  // The state of a new subscriber depends on consent. That of a known one is never written.
  if (needsLookup(change) || !consent?.given) {
    // Without `status` only active subscribers are found.
    const path = `/subscribers?status=all&email_address=${encodeURIComponent(email)}`;
    requests.push(toRequest('lookup', 'Look up subscriber', `GET ${path}`));
  }
  const { first_name, ...fields } = Object.fromEntries(
    fieldsToWrite(change, progress).map(({ key, value }) => [key, String(value)]),
  );
  const isNew = done.has('lookup') && learnt['contact'] === undefined;
  requests.push(
    toRequest('contact', 'Create or update subscriber', 'POST /subscribers', {
      email_address: email,
      ...(first_name !== undefined && { first_name }),
      ...(isNew && !consent?.given && { state: 'inactive' }),
      fields,
    }),
  );

  // A tag may start an automation, and no call prevents it.
  const { add, remove } = isBackfill ? { add: [], remove: [] } : change.tags;
  if (remove.length > 0)
    requests.push(
      toRequest('tags', 'Read tags of the subscriber', `GET /subscribers/${id}/tags?per_page=1000`),
    );
  for (const name of add.filter((tag) => learnt[`has:${tag}`] === undefined)) {
    const tag = idOr('{tag}', learnt[`tag:${name}`]);
    // The answer to a name that exists is its tag.
    if (tag === '{tag}')
      requests.push(toRequest(`find-tag:${name}`, 'Find or create tag', 'POST /tags', { name }));
    const body = { email_address: email };
    requests.push(toRequest(`tag:${name}`, 'Add tag', `POST /tags/${tag}/subscribers`, body));
  }
  for (const name of remove) {
    const tag = idOr('{tag}', learnt[`has:${name}`]);
    if (tag === '{tag}' && done.has('tags')) continue;
    requests.push(toRequest(`untag:${name}`, 'Remove tag', `DELETE /tags/${tag}/subscribers/${id}`));
  }
  return requests.filter(({ step }) => !done.has(step));
}

function read(request: ToolRequest, answer: Answer, change: ContactChange): StepOutcome | undefined {
  const { status, json } = answer;
  const [kind, name = ''] = request.step.split(/:(.*)/s);
  if (kind === 'untag' && status === 404) return { kind: 'done' };
  // "Label has already been taken"
  if (kind === 'field' && status === 422 && /taken/i.test(reasonOf(answer))) return { kind: 'done' };
  if ((kind === 'tag' && status === 404) || (kind === 'find-tag' && status === 422))
    return { kind: 'missing', subject: 'tag', key: name, reason: reasonOf(answer) };
  if (status < 200 || status >= 300) return undefined;

  if (kind === 'lookup') {
    const known = at(json, 'subscribers', 0);
    const valueOf = (key: string): unknown => at(known, ...(key === 'first_name' ? [key] : ['fields', key]));
    return { kind: 'done', learnt: learnContact(textAt(known, 'id'), change, valueOf) };
  }
  if (kind === 'contact') return readContact(answer, change);
  if (kind === 'find-tag') {
    const id = textAt(json, 'tag', 'id');
    if (id === undefined) return { kind: 'later', reason: 'The answer has no tag.', retryAfterMs: undefined };
    return { kind: 'done', learnt: { [`tag:${name}`]: id } };
  }
  if (kind === 'tags') {
    const wanted = [...change.tags.add, ...change.tags.remove];
    const ids = new Map(listAt(json, 'tags').map((tag) => [textAt(tag, 'name'), textAt(tag, 'id')]));
    const known = wanted.filter((tag) => ids.get(tag) !== undefined);
    return { kind: 'done', learnt: Object.fromEntries(known.map((tag) => [`has:${tag}`, ids.get(tag)!])) };
  }
  return undefined;
}

function readContact({ json }: Answer, change: ContactChange): StepOutcome {
  const contact = textAt(json, 'subscriber', 'id');
  if (contact === undefined)
    return { kind: 'later', reason: 'The answer has no subscriber.', retryAfterMs: undefined };
  const state = textAt(json, 'subscriber', 'state');
  if (state === 'cancelled' || state === 'complained')
    return { kind: 'left', reason: `The state of the subscriber is ${state}.` };
  // Kit ignores a field that it does not have. Only a warning names it.
  const warnings = listAt(json, 'warnings').flatMap((warning) => textAt(warning) ?? []);
  const refusedFields = change.fields.flatMap(({ key }) => {
    const reason = warnings.find((warning) => warning.match(/[\w-]+/g)?.includes(key));
    return reason === undefined ? [] : [{ key, reason }];
  });
  return { kind: 'done', learnt: { contact }, ...(refusedFields.length > 0 && { refusedFields }) };
}
