import { reasonOf } from '../../define-provider.ts';
import { learnContact } from '../../field-policy.ts';
import type { Answer, ContactChange, StepOutcome, ToolRequest } from '../../marketing-provider.ts';
import { at, listAt, textAt } from '../../read-json.ts';
import { isNative, readImport } from './bulk-import.ts';
import { pageMax, unsubscribed } from './plan-requests.ts';

/** Of a contact. */
const tagsMax = 1000;

export function read(request: ToolRequest, answer: Answer, change: ContactChange): StepOutcome | undefined {
  const { status, json } = answer;
  const [kind, key = ''] = request.step.split(/:(.*)/s);
  const reason = reasonOf(answer);
  const isRefused = status === 400 || status === 404 || status === 422;
  if (status === 403) return { kind: 'credential_refused', reason };
  if (kind === 'import' || kind === 'import-lists') return readImport(answer, 1);
  if (kind === 'contact') return readContact(answer, change);
  if (status === 404 && (kind === 'untag' || kind === 'erase')) return { kind: 'done' };
  // The contact was deleted in between: the change is repeated.
  if (status === 404 && /subscriber with id|contact not found/i.test(reason)) return undefined;
  // Another call has made the tag in between: it is found when the change is repeated.
  if (kind === 'new-tag' && (status === 422 || (status < 300 && textAt(json, 'tag', 'id') === undefined)))
    return { kind: 'later', reason, retryAfterMs: undefined };
  if (isRefused && (kind === 'list' || kind === 'unlist'))
    return { kind: 'missing', subject: 'list', key, reason };
  if (isRefused && kind === 'tag') return { kind: 'missing', subject: 'tag', key, reason };
  if (status < 200 || status >= 300) return undefined;

  if (kind === 'lookup') {
    const id = textAt(json, 'contacts', 0, 'id');
    return { kind: 'done', learnt: learnContact(id, change, (name) => at(json, 'contacts', 0, name)) };
  }
  if (kind === 'values') {
    const values = listAt(json, 'fieldValues').filter((field) => textAt(field, 'value') !== undefined);
    const set = new Set(values.map((field) => textAt(field, 'field')));
    const known = change.fields.filter(({ key }) => set.has(key));
    return { kind: 'done', learnt: Object.fromEntries(known.map(({ key }) => [`value:${key}`, 'yes'])) };
  }
  if (kind === 'find-tag') {
    const tags = listAt(json, 'tags');
    const isNamed = (tag: unknown): boolean => textAt(tag, 'tag')?.toLowerCase() === key.toLowerCase();
    return learnTag(key, tags.find((tag) => textAt(tag, 'tag') === key) ?? tags.find(isNamed));
  }
  if (kind === 'new-tag') return learnTag(key, at(json, 'tag'));
  if (kind === 'tags') {
    const relations = listAt(json, 'contactTags').slice(0, pageMax);
    const ids = relations.map((each) => [`contact-tag:${textAt(each, 'tag')}`, textAt(each, 'id') ?? '']);
    const next =
      relations.length === pageMax && Number(key) < tagsMax ? String(Number(key) + pageMax) : 'all';
    return { kind: 'done', learnt: { ...Object.fromEntries(ids), tags: next } };
  }
  return kind === 'lists' ? readLists(json, change) : undefined;
}

const learnTag = (name: string, tag: unknown): StepOutcome => {
  const id = textAt(tag, 'id');
  return { kind: 'done', learnt: id === undefined ? {} : { [`tag:${name}`]: id } };
};

function readContact(answer: Answer, change: ContactChange): StepOutcome | undefined {
  const { status, json } = answer;
  const custom = change.fields.filter(({ key }) => !isNative(key));
  const contact = textAt(json, 'contact', 'id');
  const reason = reasonOf(answer);
  if (status < 300 && contact !== undefined) {
    // A field that does not exist is left out of the answer, and a value that does not fit is empty there.
    const taken = listAt(json, 'fieldValues').filter((field) => textAt(field, 'value') !== undefined);
    const ignored = custom.filter(
      ({ key, value, policy }) =>
        policy === 'always' && value !== '' && !taken.some((field) => textAt(field, 'field') === key),
    );
    const refusedFields = ignored.map(({ key }) => ({
      key,
      reason: 'ActiveCampaign did not take the field.',
    }));
    return { kind: 'done', learnt: { contact }, ...(ignored.length > 0 && { refusedFields }) };
  }
  // Some failures have the status 200.
  if (status < 300 && listAt(json, 'errors').length === 0)
    return { kind: 'later', reason: 'The answer has no contact.', retryAfterMs: undefined };
  if (status >= 300 && status !== 400 && status !== 422) return undefined;
  // An error does not name its field.
  if (custom.length === 0 || /e-?mail/i.test(JSON.stringify(json))) return { kind: 'person_refused', reason };
  return { kind: 'fields_refused', fields: custom.map(({ key }) => ({ key, reason })), reason };
}

function readLists(json: unknown, { lists, consent }: ContactChange): StepOutcome {
  const rows = listAt(json, 'contactLists');
  const statusOf = (list: string): string | undefined => {
    const row = rows.find((each) => textAt(each, 'list') === list);
    // On a full page a row may be missing. The person may have left that list.
    return row === undefined
      ? rows.length < pageMax
        ? undefined
        : unsubscribed
      : (textAt(row, 'status') ?? unsubscribed);
  };
  const isLeft = consent?.given === true && lists.add.every((list) => statusOf(list) === unsubscribed);
  if (isLeft && lists.add.length > 0 && lists.remove.length === 0)
    return { kind: 'left', reason: 'The contact has unsubscribed from the list.' };
  const known = [...lists.add, ...lists.remove].flatMap((list) => {
    const status = statusOf(list);
    return status === undefined ? [] : [[`list:${list}`, status]];
  });
  return { kind: 'done', learnt: Object.fromEntries(known) };
}
