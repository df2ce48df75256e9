// https://developers.activecampaign.com/reference/bulk-import-contacts
import { reasonOf, requestsIn, throttled } from '../../define-provider.ts';
import type {
  Answer,
  ContactChange,
  MarketingProvider,
  StepOutcome,
  ToolRequest,
} from '../../marketing-provider.ts';
import { listAt, textAt } from '../../read-json.ts';

export const contactsMax = 250;

/** The fields of every contact, with their names in an import. The keys of the other fields are numbers. */
export const nativeFields: Record<string, { label: string; imported: string }> = {
  firstName: { label: 'First name', imported: 'first_name' },
  lastName: { label: 'Last name', imported: 'last_name' },
  phone: { label: 'Phone', imported: 'phone' },
};

export const isNative = (key: string): boolean => Object.hasOwn(nativeFields, key);

/** An import makes the tags that it names, adds no person to a list that they have left, and can leave out automations. */
export const importRequest = (step: string, changes: readonly ContactChange[]): ToolRequest => ({
  step,
  name: 'Import contacts',
  limits: ['api', 'imports'],
  method: 'POST',
  path: '/import/bulk_import',
  body: { contacts: changes.map(toContact) },
});

function toContact({ email, fields, tags, lists, consent, isBackfill }: ContactChange): object {
  const native = fields.filter(({ key }) => isNative(key));
  const custom = fields.filter(({ key }) => !isNative(key));
  return {
    email,
    ...Object.fromEntries(native.map(({ key, value }) => [nativeFields[key]!.imported, String(value)])),
    fields: custom.map(({ key, value }) => ({ id: Number(key), value: String(value) })),
    tags: tags.add,
    ...(consent?.given && { subscribe: lists.add.map((list) => ({ listid: list })) }),
    ...(isBackfill && { exclude_automations: true }),
  };
}

const minuteMs = 60_000;

/** Undefined: the import was refused as a whole. */
export function readImport(answer: Answer, count: number): StepOutcome | undefined {
  const reason = reasonOf(answer);
  if (answer.status === 400 && /rate limit/i.test(reason)) return throttled(answer, minuteMs);
  if (answer.status < 200 || answer.status >= 300) return undefined;
  if (textAt(answer.json, 'queued_contacts') === String(count)) return { kind: 'done' };
  return { kind: 'later', reason, retryAfterMs: undefined };
}

/** https://developers.activecampaign.com/reference/bulk-import-status-info: the addresses that the import did not write, without a reason. */
export const importJob: NonNullable<NonNullable<MarketingProvider['batch']>['job']> = {
  idOf: ({ json }) => textAt(json, 'batchId'),
  plan: (id) => requestsIn('api')('job', 'Read import', `GET /import/info?batchId=${encodeURIComponent(id)}`),
  read(_, { json }) {
    if (textAt(json, 'status') !== 'completed') return 'pending';
    const refused = listAt(json, 'failure').flatMap((email) => textAt(email) ?? []);
    const reason = 'The import refused the contact.';
    return { refused: refused.slice(0, contactsMax).map((email) => ({ email, reason })) };
  },
};
