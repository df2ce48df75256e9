// The checks before a marketing tool is saved: everything that needs no call, with all problems in one answer, then a real call.
import { commonErrors, type Issue } from '@service/errors';
import {
  kindFits,
  misfitOf,
  type Catalogue,
  type FieldType,
  type MarketingProvider,
} from '@service/marketing-providers';
import type { VerifiedCredential } from '../connection/change-connections.ts';
import type { MarketingSettings } from '../connection/connection.ts';
import { credentialIssuesOf } from '../connection/credentials.ts';
import { connectionErrors } from '../errors.ts';
import { typesOf } from './field-types.ts';
import type { MarketingConnections } from './marketing-connections.ts';
import {
  noSync,
  syncFieldNames,
  syncFields,
  syncTagNames,
  type SyncField,
  type SyncSettings,
} from '../connection/sync-settings.ts';

interface GivenTool {
  provider: string;
  credential: unknown;
  baseUrl: string | null;
  /** `all`: the proposal. `none`: only rules update contacts. */
  sync: SyncSettings | 'all' | 'none';
}

export interface VerifiedTool extends VerifiedCredential {
  kind: 'marketing';
  settings: MarketingSettings;
  /** Undefined: the tool did not give its fields. */
  fieldTypes?: Record<string, FieldType>;
  /** The name of a connection that is given none. */
  providerName: string;
  /** The account's name at the tool. */
  account: string | undefined;
  notes: string[];
}

/**
 * Parses a credential, proves it by a call to its tool and reads the fields of the tool, each within 15 s. A tool that does not give its fields
 * is connected all the same. Throws validation_failed, credential_refused, provider_unreachable, too_many_verifications.
 */
export async function verifyMarketing(
  {
    marketing,
    refuseUrl,
  }: {
    marketing: MarketingConnections;
    refuseUrl: (url: string) => Promise<string | undefined>;
  },
  accountId: string,
  { provider: id, credential: fields, baseUrl, sync }: GivenTool,
): Promise<VerifiedTool> {
  const provider = marketing.providers.find((one) => one.id === id);
  if (!provider) {
    const known = marketing.providers.map((one) => one.id).join(', ');
    throw commonErrors.validation_failed({ issues: [{ path: 'provider', message: `One of ${known}.` }] });
  }
  const parsed = provider.credential.safeParse(fields);
  const issues = credentialIssuesOf(parsed.error, fields);
  const refusal = baseUrl === null ? undefined : await refuseUrl(baseUrl);
  if (refusal !== undefined) issues.push({ path: 'baseUrl', message: refusal });
  if (issues.length > 0 || !parsed.success) throw commonErrors.validation_failed({ issues });
  const credential = parsed.data;
  const verification = await marketing.verify(accountId, provider, { credential, baseUrl });
  if (verification.kind === 'refused' || verification.kind === 'unreachable') {
    const refusals = [{ path: 'credential', message: `${provider.name}: ${verification.reason}` }];
    throw verification.kind === 'refused'
      ? connectionErrors.credential_refused({ issues: refusals })
      : connectionErrors.provider_unreachable({ issues: refusals });
  }
  // A key that lacks rights gives no catalogue.
  const catalogue =
    verification.kind === 'accepted'
      ? await marketing.readCatalogueOf(accountId, provider, { credential, baseUrl }).catch(() => undefined)
      : undefined;
  const fieldTypes = catalogue && typesOf(catalogue);
  if (typeof sync === 'object') checkSync(provider, sync, new Map(Object.entries(fieldTypes ?? {})));
  const settings = {
    baseUrl,
    sync: sync === 'none' ? noSync : sync === 'all' ? proposeSync(provider, catalogue) : sync,
  };
  return {
    kind: 'marketing',
    provider: provider.id,
    providerName: provider.name,
    credential,
    last4: provider.last4(credential),
    settings,
    ...(fieldTypes && { fieldTypes }),
    account: verification.kind === 'accepted' ? verification.account : undefined,
    // The key is valid. Its owner can give it the rights that it lacks.
    problem: verification.kind === 'not_allowed' ? verification.reason : undefined,
    notes: [],
  };
}

/**
 * The proposal for "keep every registrant in step": all tags of a tool that has tags, and the values for which the tool has a field of our name. A tool
 * that makes fields by itself gets all of them.
 */
function proposeSync(
  { takesNewFields = false, words }: Pick<MarketingProvider, 'takesNewFields' | 'words'>,
  catalogue: Catalogue | undefined,
): SyncSettings {
  const fields = syncFieldNames.flatMap((name) => {
    const key = findField(name, catalogue)?.key ?? (takesNewFields ? syncFields[name].label : undefined);
    return key === undefined ? [] : [[name, { key, policy: 'always' }] as const];
  });
  return {
    ...noSync,
    enabled: true,
    fields: Object.fromEntries(fields),
    tags: { prefix: 'Webinar ', use: words.tag === undefined ? [] : [...syncTagNames] },
  };
}

/**
 * Makes the fields of the proposal that the tool does not have, at most six. Returns the function that adds them to the saved settings, where
 * fields that are mapped already stay. Throws connection_not_found, tool_refused, too_many_verifications.
 */
export async function createSyncFields(
  marketing: MarketingConnections,
  { accountId, id, sync }: { accountId: string; id: string; sync: SyncSettings },
): Promise<(saved: SyncSettings) => SyncSettings> {
  const before = await marketing.readCatalogue(accountId, id, { isFresh: true });
  const missing = syncFieldNames.filter((name) => !sync.fields[name]);
  for (const name of missing)
    if (!findField(name, before)) await marketing.createField(accountId, id, syncFields[name]);
  const after = await marketing.readCatalogue(accountId, id, { isFresh: true });
  const made = missing.flatMap((name) => {
    const field = findField(name, after);
    return field ? [[name, { key: field.key, policy: 'always' }] as const] : [];
  });
  return (saved) => ({ ...saved, fields: { ...Object.fromEntries(made), ...saved.fields } });
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');

/** The field of the tool that was made for a value of ours. Some tools put a prefix before the key. */
const findField = (name: SyncField, catalogue: Catalogue | undefined) => {
  const wanted = plain(syncFields[name].label);
  return catalogue?.fields.find(
    (field) => (plain(field.label) === wanted || plain(field.key).endsWith(wanted)) && takes(name, field),
  );
};

/** The values of ours that a field of a tool takes. */
export const fitsOf = (field: Catalogue['fields'][number]): SyncField[] =>
  syncFieldNames.filter((name) => takes(name, field));

const takes = (name: SyncField, { type }: Catalogue['fields'][number]): boolean =>
  kindFits(syncFields[name].kind, type);

/**
 * Throws validation_failed with every field whose type does not fit, and for tags of a tool that has none. Fields whose type is not known are the
 * tool's to refuse.
 */
export function checkSync(
  tool: Pick<MarketingProvider, 'name' | 'words'> | undefined,
  { fields = {}, tags }: Partial<Pick<SyncSettings, 'fields' | 'tags'>>,
  types: ReadonlyMap<string, FieldType>,
): void {
  const issues: Issue[] = Object.entries(fields).flatMap(([name, { key }]) => {
    const { kind, label } = syncFields[name as SyncField];
    const type = types.get(key);
    if (type === undefined || kindFits(kind, type)) return [];
    return [
      { path: `sync.fields.${name}.key`, message: `"${label}" does not fit: ${misfitOf(kind, type)}.` },
    ];
  });
  if (tool && tool.words.tag === undefined && tags && tags.use.length > 0)
    issues.push({ path: 'sync.tags.use', message: `${tool.name} has no tags.` });
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
}
