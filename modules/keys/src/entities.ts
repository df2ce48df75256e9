import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { allPresets, type Preset } from '@service/catalogue';
import type { KeyCreator } from '@service/trpc';

/** Contains a digest of the key and the ends of its text, never the key. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  schema: 'keys',
  checks: [
    {
      name: 'api_key_preset_check',
      expression: `preset in (${allPresets.map((preset) => `'${preset}'`).join(', ')})`,
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    label: p.text(),
    prefix: p.text(),
    hint: p.text(),
    // Unique without account_id: a request carries only the key.
    hash: p.blob().unique(),
    scopes: p.array(),
    surfaces: p.array(),
    /** The preset that the key was created with. Null when its scopes and surfaces were chosen one by one. */
    preset: p.text().$type<Preset>().nullable(),
    createdAt: p.datetime(3),
    createdByKind: p.text().$type<KeyCreator['kind']>(),
    /** Set for a member, like the name. Both are kept after the member has left. */
    createdById: p.uuid().nullable(),
    createdByName: p.text().nullable(),
    lastUsedAt: p.datetime(3).nullable(),
    requests: p.bigint('number'),
    /** By the database's clock. Null: the key works until it is revoked. */
    expiresAt: p.datetime(3).nullable(),
  },
});

export type ApiKey = InferEntity<typeof ApiKey>;

/** The columns of `ApiKey` that name its creator. */
export interface CreatorColumns {
  createdByKind: KeyCreator['kind'];
  createdById: string | null;
  createdByName: string | null;
}

export const columnsToCreator = ({ createdByKind: kind, ...member }: CreatorColumns): KeyCreator =>
  kind === 'member' ? { kind, id: member.createdById!, name: member.createdByName! } : { kind };

export const creatorToColumns = (creator: KeyCreator): CreatorColumns => ({
  createdByKind: creator.kind,
  createdById: creator.kind === 'member' ? creator.id : null,
  createdByName: creator.kind === 'member' ? creator.name : null,
});

/** The requests of an account in the current window. Unlogged: the counter restarts after a crash of the database. */
const RateWindow = defineEntity({
  name: 'RateWindow',
  tableName: 'rate_window',
  schema: 'keys',
  properties: {
    accountId: p.uuid().primary(),
    startedAt: p.datetime(0),
    used: p.integer(),
  },
});

/** Accounts whose keys and access tokens are refused with 403. Stored in this schema too, so that the admission of a key reads one schema. */
const SuspendedAccount = defineEntity({
  name: 'KeysSuspendedAccount',
  tableName: 'suspended_account',
  schema: 'keys',
  properties: {
    accountId: p.uuid().primary(),
  },
});

export const keyEntities = [ApiKey, RateWindow, SuspendedAccount];
