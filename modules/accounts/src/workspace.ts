import {
  column,
  nullable,
  statement,
  type AccountReader,
  type AccountWriter,
  type RowWith,
} from '@service/database';
import { accountErrors } from './errors.ts';
import type { WorkspaceOutput } from './schemas.ts';
import { storeTimeZone, timeZoneColumn } from './time-zone.ts';

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
