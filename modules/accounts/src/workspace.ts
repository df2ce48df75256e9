import {
  column,
  createId,
  databaseTime,
  nullable,
  statement,
  type AccountReader,
  type AccountWriter,
  type RowWith,
  type Query,
} from '@service/database';
import slugify from '@sindresorhus/slugify';
import type { DBTransactionAdapter } from 'better-auth';
import { randomBytes } from 'node:crypto';
import { accountErrors } from './errors.ts';
import type { WorkspaceOutput } from './schemas.ts';

export const timeZoneDefault = 'UTC';

/** The time zone of the workspace of an organization `o`, in a statement. */
export const timeZoneColumn = `coalesce((select time_zone from accounts.setting where account_id = o.id), '${timeZoneDefault}')`;

const selectTimeZone = statement({
  name: 'accounts.select_time_zone',
  text: 'select time_zone from accounts.setting where account_id = $1',
  row: { time_zone: column.text },
});

/** The IANA time zone of the workspace, in which days of reports are counted. UTC until an owner changes it. */
export async function findTimeZone({
  query,
  accountId,
}: Pick<AccountReader, 'query' | 'accountId'>): Promise<string> {
  const [row] = await query(selectTimeZone, [accountId]);
  return row?.time_zone ?? timeZoneDefault;
}

const selectNames = statement({
  name: 'accounts.select_workspace_names',
  text: 'select id, name from accounts.organization where id = any($1::text[])',
  row: { id: column.text, name: column.text },
});

/** The names of workspaces, by account id. */
export async function findWorkspaceNames(
  query: Query,
  accountIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await query(selectNames, [accountIds]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const upsertTimeZone = statement({
  name: 'accounts.upsert_time_zone',
  text: `
    insert into accounts.setting (account_id, time_zone, changed_by, changed_at) values ($1, $2, $3, $4)
    on conflict (account_id) do update
    set time_zone = excluded.time_zone, changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
});

/** Stores the time zone with the owner who changed it and the time. */
async function storeTimeZone(
  { query, accountId, now }: AccountWriter,
  { timeZone, ownerId }: { timeZone: string; ownerId: string },
): Promise<void> {
  await query(upsertTimeZone, [accountId, timeZone, ownerId, now]);
}

const workspaceRow = {
  id: column.text,
  name: column.text,
  slug: column.text,
  timeZone: column.text,
  createdAt: column.time,
  suspendedAt: nullable(column.time),
};

const selectWorkspace = statement({
  name: 'accounts.select_workspace',
  text: `
    select o.id, name, slug, ${timeZoneColumn} as "timeZone", "createdAt", suspended_at as "suspendedAt"
    from accounts.organization o left join accounts.suspension on account_id = o.id
    where o.id = $1`,
  row: workspaceRow,
});

/** The caller's workspace. Throws workspace_not_found. */
export async function getWorkspace({ query, accountId }: AccountReader): Promise<WorkspaceOutput> {
  return onlyRow(await query(selectWorkspace, [accountId]));
}

const rename = statement({
  name: 'accounts.rename_workspace',
  text: `
    update accounts.organization o set name = $2 where id = $1
    returning id, name, slug, ${timeZoneColumn} as "timeZone", "createdAt",
      (select suspended_at from accounts.suspension where account_id = id) as "suspendedAt"`,
  row: workspaceRow,
});

/** Renames the workspace. The slug stays, so that links stay valid. Throws workspace_not_found. */
export async function renameWorkspace(
  { query, accountId }: AccountWriter,
  name: string,
): Promise<WorkspaceOutput> {
  return onlyRow(await query(rename, [accountId, name]));
}

/** Changes the time zone, in which days of reports are counted. Throws workspace_not_found. */
export async function changeTimeZone(
  tx: AccountWriter,
  change: { timeZone: string; ownerId: string },
): Promise<WorkspaceOutput> {
  await storeTimeZone(tx, change);
  return getWorkspace(tx);
}

function onlyRow([row]: RowWith<typeof workspaceRow>[]): WorkspaceOutput {
  if (!row) throw accountErrors.workspace_not_found();
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    suspendedAt: row.suspendedAt && row.suspendedAt.toISOString(),
  };
}

/** The name of the first workspace of a person. */
export const workspaceNameOf = ({ name }: { name: string }): string => `${name}’s workspace`;

/** Writes a workspace and its first owner in the caller's transaction. Returns the id of the workspace. */
export async function createWorkspace(
  adapter: DBTransactionAdapter,
  { name, ownerId }: { name: string; ownerId: string },
): Promise<string> {
  const createdAt = databaseTime();
  const workspace = await adapter.create({
    model: 'organization',
    data: { name, slug: createSlug(name), createdAt },
  });
  await adapter.create({
    model: 'member',
    data: { organizationId: workspace.id, userId: ownerId, role: 'owner', createdAt },
  });
  return workspace.id;
}

/** Workspaces that one person may own. Each has limits of its own. */
const ownedMax = 20;

const lockUser = statement({
  name: 'accounts.lock_user',
  text: 'select from accounts."user" where id = $1 for no key update',
});

const countOwned = statement({
  name: 'accounts.count_owned_workspaces',
  text: `select count(*)::int as owned from accounts.member where "userId" = $1 and role = 'owner'`,
  row: { owned: column.integer },
  allAccounts: 'A user may own several workspaces.',
});

const insertWorkspace = statement({
  name: 'accounts.insert_workspace',
  text: `
    with made as (
      insert into accounts.organization (id, name, slug, "createdAt") values ($1, $2, $3, $4) returning id
    )
    insert into accounts.member ("organizationId", id, "userId", role, "createdAt")
    select id, $5, $6, 'owner', $4 from made`,
});

/** Creates another workspace for a member of the present one, who owns it. Throws workspace_limit_reached. */
export async function createAnotherWorkspace(
  { query, now }: AccountWriter,
  { name, ownerId }: { name: string; ownerId: string },
): Promise<string> {
  await query(lockUser, [ownerId]);
  const [count] = await query(countOwned, [ownerId]);
  if (count!.owned >= ownedMax) throw accountErrors.workspace_limit_reached();
  const id = createId();
  await query(insertWorkspace, [id, name, createSlug(name), now, createId(), ownerId]);
  return id;
}

const slugLengthMax = 40;

/** A name as part of a URL: `Zoë & Søn` becomes `zoe-and-son-1f0c9ab2`. The random end makes it unique. */
export function createSlug(name: string): string {
  const slug = slugify(name, { decamelize: false }).slice(0, slugLengthMax).replace(/-$/, '');
  return `${slug || 'workspace'}-${randomBytes(4).toString('hex')}`;
}
