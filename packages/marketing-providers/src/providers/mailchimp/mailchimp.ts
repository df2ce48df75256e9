// https://mailchimp.com/developer/marketing/api/list-members/ and /docs/errors/
import type { FieldText } from '@service/outbound-http';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { defineProvider, noId, reasonOf, refusalOf, requestsIn, throttled } from '../../define-provider.ts';
import { fieldsToWrite, keysToLookUp, learnContact, needsLookup } from '../../field-policy.ts';
import type {
  Answer,
  ContactChange,
  ContactEvent,
  Progress,
  RefusedField,
  StepOutcome,
  ToolRequest,
} from '../../marketing-provider.ts';
import { at, listAt, textAt } from '../../read-json.ts';
import { readAudience, readCatalogue } from './mailchimp-catalogue.ts';

const credential = z.object({
  key: z
    .string()
    .trim()
    // The part after the dash is the data centre, which is part of the address.
    .regex(
      /^[0-9a-zA-Z]{16,100}-[a-z]{2,4}\d{1,3}$/,
      'A key of Mailchimp ends with its data centre, such as -us19.',
    )
    .meta({
      label: 'API key',
      placeholder: '...-us19',
      help: 'Mailchimp > Profile > Extras > API keys > Create a key. It works as long as its user belongs to the account.',
      isSecret: true,
    } satisfies FieldText),
  audience: z
    .string()
    .trim()
    .regex(/^[0-9a-zA-Z]{5,20}$/, 'This is not an id of an audience.')
    .meta({
      label: 'Audience ID',
      placeholder: 'a1b2c3d4e5',
      help: 'Mailchimp > Audience > More options > Audience settings.',
      isSecret: false,
    } satisfies FieldText),
});

const eventNameMax = 30;

export const mailchimp = defineProvider({
  id: 'mailchimp',
  name: 'Mailchimp',
  words: { field: 'Audience field', tag: 'Tag', list: 'Group' },
  credential,
  baseUrl: ({ key, audience }) => `https://${key.split('-').at(-1)!}.api.mailchimp.com/3.0/lists/${audience}`,
  headers: ({ key }) => ({ authorization: `Bearer ${key}` }),
  // Mailchimp counts open connections, ten for each user over all tools, and no requests.
  limits: {},
  open: 8,
  events: { exist: true, areIdempotent: false, nameMax: eventNameMax },

  async verify(_, call) {
    const answer = await call(readAudience);
    const refusal = refusalOf(answer);
    if ('lost' in answer) return { kind: 'unreachable', reason: answer.lost };
    if (!refusal) return { kind: 'accepted', account: textAt(answer.json, 'name') };
    const { reason } = refusal;
    if (answer.status === 404) return { kind: 'refused', reason: `The audience does not exist. ${reason}` };
    if (isBusy(answer)) return { kind: 'unreachable', reason };
    return { kind: isDisabled(answer) ? 'refused' : refusal.kind, reason };
  },

  catalogue: readCatalogue,

  createField: ({ label, kind }) =>
    toRequest('field', 'Create audience field', 'POST /merge-fields', {
      name: label.slice(0, 50).toWellFormed(),
      tag: toTag(label),
      // There is no type for yes and no, and none for a date with a time.
      type: kind === 'moment' ? 'date' : kind === 'number' ? 'number' : 'text',
    }),

  plan,
  read,

  erase: (email, { done }) =>
    done.has('erase')
      ? []
      : [
          toRequest(
            'erase',
            'Delete contact permanently',
            `POST ${memberPath(email)}/actions/delete-permanent`,
          ),
        ],
});

// Requests are not counted.
const toRequest = requestsIn();

const tagMax = 10;

/** Long labels begin alike, so the tag of such a label ends with a part of its hash. */
function toTag(label: string): string {
  const tag = label.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  const hash = createHash('sha256').update(label).digest('hex').toUpperCase().slice(0, 4);
  return tag.length <= tagMax ? tag : tag.slice(0, tagMax - hash.length) + hash;
}

/** A contact has the MD5 of its address in lower case as its id. */
const memberPath = (email: string): string =>
  `/members/${createHash('md5').update(email.toLowerCase()).digest('hex')}`;

function plan(change: ContactChange, progress: Progress): readonly ToolRequest[] {
  const { email, tags, lists, consent, isBackfill } = change;
  const path = memberPath(email);
  const { contact, 'account:opt_in': optIn } = progress.learnt;
  // The start of a subscription, a group that a person joins and a confirmation mail start automations.
  const mayJoin = consent?.given === true && !isBackfill;
  const requests: ToolRequest[] = [];
  if (needsLookup(change) || mayJoin) {
    const fields = ['id', ...keysToLookUp(change).map((key) => `merge_fields.${key}`)].map(
      encodeURIComponent,
    );
    requests.push(toRequest('lookup', 'Look up contact', `GET ${path}?fields=${fields.join(',')}`));
  }
  if (mayJoin && contact === undefined && optIn === undefined)
    requests.push(toRequest('opt_in', 'Read opt-in of audience', 'GET ?fields=double_optin'));

  const values = fieldsToWrite(change, progress).map(({ key, value }) => [key, String(value)]);
  const groups = [
    ...lists.remove.map((group) => [group, false]),
    ...(mayJoin ? lists.add : []).map((group) => [group, true]),
  ];
  const body = {
    ...(values.length > 0 && { merge_fields: Object.fromEntries(values) }),
    ...(groups.length > 0 && { interests: Object.fromEntries(groups) }),
  };
  if (contact === undefined) {
    // Only for a contact that Mailchimp does not have. `pending` sends the confirmation mail of the audience.
    const statusIfNew = mayJoin ? (optIn === 'single' ? 'subscribed' : 'pending') : 'transactional';
    requests.push(
      toRequest('contact', 'Create or update contact', `PUT ${path}?skip_merge_validation=true`, {
        email_address: email,
        status_if_new: statusIfNew,
        ...body,
      }),
    );
  } else if (Object.keys(body).length > 0)
    requests.push(toRequest('contact', 'Update contact', `PATCH ${path}?skip_merge_validation=true`, body));

  const named = [
    ...tags.add.map((name) => ({ name, status: 'active' })),
    ...tags.remove.map((name) => ({ name, status: 'inactive' })),
  ];
  if (named.length > 0)
    requests.push(
      toRequest('tags', 'Change tags', `POST ${path}/tags`, { tags: named, is_syncing: isBackfill }),
    );
  for (const event of change.events)
    requests.push(
      toRequest(`event:${event.id}`, 'Add event', `POST ${path}/events`, toEvent(event, isBackfill)),
    );
  return requests.filter(({ step: name }) => !progress.done.has(name));
}

const toEvent = ({ name, at: when, properties, value }: ContactEvent, isBackfill: boolean): object => ({
  name: name.slice(0, eventNameMax).toWellFormed(),
  occurred_at: when.toISOString(),
  // Texts only.
  properties: Object.fromEntries(
    Object.entries({ ...properties, ...value }).map(([key, each]) => [key, String(each)]),
  ),
  is_syncing: isBackfill,
});

/** Mailchimp may throttle with a bare 403, which looks like a refused key. */
const isBusy = ({ status, json }: Answer): boolean => status === 403 && json === undefined;
const isDisabled = ({ status, json }: Answer): boolean =>
  status === 403 && /user disabled|api key/i.test(textAt(json, 'title') ?? '');

const throttledMs = 5000;

function read(request: ToolRequest, answer: Answer, change: ContactChange): StepOutcome | undefined {
  const { status, json } = answer;
  const [kind, key = ''] = request.step.split(/:(.*)/s);
  const title = textAt(json, 'title') ?? '';
  const reason = reasonOf(answer);
  if (status === 429 || isBusy(answer)) return throttled(answer, throttledMs);
  if (isDisabled(answer)) return { kind: 'credential_refused', reason };
  // Only the person can undo an unsubscription, a bounce and a permanent deletion.
  if (title === 'Member In Compliance State' || title === 'Forgotten Email Not Subscribed')
    return { kind: 'left', reason };
  if (status === 404 && (kind === 'lookup' || kind === 'erase')) return { kind: 'done' };
  if (status === 400 && kind === 'field' && /already exists/i.test(reason)) return { kind: 'done' };
  if (status === 400 && kind === 'contact') return readFault(answer, change);
  if (
    status === 400 &&
    kind === 'event' &&
    listAt(json, 'errors').some((error) => textAt(error, 'field') === 'name')
  )
    return {
      kind: 'missing',
      subject: 'event',
      key: change.events.find(({ id }) => id === key)?.name ?? key,
      reason,
    };
  if (status !== 200) return undefined;
  if (kind === 'lookup') {
    const contact = textAt(json, 'id');
    const valueOf = (field: string): unknown => at(json, 'merge_fields', field);
    return contact === undefined
      ? noId(answer)
      : { kind: 'done', learnt: learnContact(contact, change, valueOf) };
  }
  if (kind === 'opt_in')
    return {
      kind: 'done',
      learnt: { 'account:opt_in': at(json, 'double_optin') === false ? 'single' : 'double' },
    };
  if (kind === 'contact')
    return { kind: 'done', learnt: { contact: 'known' }, refusedFields: droppedFields(request, json) };
  return undefined;
}

/** Mailchimp drops fields that the audience does not have, and says nothing. The answer has all fields of the audience. */
function droppedFields({ body }: ToolRequest, json: unknown): RefusedField[] {
  const kept = at(json, 'merge_fields');
  if (typeof kept !== 'object' || kept === null) return [];
  return Object.keys(at(body, 'merge_fields') ?? {})
    .filter((key) => !Object.hasOwn(kept, key))
    .map((key) => ({ key, reason: 'The audience has no such field.' }));
}

/** https://mailchimp.com/developer/marketing/docs/errors/: the names of fields are in `errors`. */
function readFault(answer: Answer, { fields, lists }: ContactChange): StepOutcome | undefined {
  const reason = reasonOf(answer);
  const errors = listAt(answer.json, 'errors').map((error) => ({
    key: textAt(error, 'field') ?? '',
    reason: textAt(error, 'message') ?? reason,
  }));
  const said = [reason, ...errors.map((error) => `${error.key} ${error.reason}`)].join(' ').slice(0, 2000);
  const group = /interest/i.test(said) && [...lists.add, ...lists.remove].find((id) => said.includes(id));
  if (group) return { kind: 'missing', subject: 'list', key: group, reason: said };
  const refused = fields.flatMap(({ key }) => errors.find((error) => error.key === key) ?? []);
  return refused.length > 0 ? { kind: 'fields_refused', fields: refused, reason: said } : undefined;
}
