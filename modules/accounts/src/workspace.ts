import type { AccountReader, AccountWriter } from '@service/database';
import { accountErrors } from './errors.ts';
import type { WorkspaceOutput } from './schemas.ts';

type WorkspaceRow = Omit<WorkspaceOutput, 'createdAt' | 'suspendedAt'> & {
  createdAt: Date;
  suspendedAt: Date | null;
};

/** The caller's workspace. Throws workspace_not_found. */
export async function getWorkspace({ em, accountId }: AccountReader): Promise<WorkspaceOutput> {
  const rows = await em.execute<WorkspaceRow[]>(
    `select id, name, slug, "createdAt", suspended_at as "suspendedAt"
     from accounts.organization left join accounts.suspension on account_id = id
     where id = ?`,
    [accountId],
  );
  return onlyRow(rows);
}

/** Renames the workspace. The slug stays, so that links stay valid. Throws workspace_not_found. */
export async function renameWorkspace(
  { em, accountId }: AccountWriter,
  name: string,
): Promise<WorkspaceOutput> {
  const rows = await em.execute<WorkspaceRow[]>(
    `update accounts.organization set name = ? where id = ?
     returning id, name, slug, "createdAt",
       (select suspended_at from accounts.suspension where account_id = id) as "suspendedAt"`,
    [name, accountId],
  );
  return onlyRow(rows);
}

function onlyRow([row]: WorkspaceRow[]): WorkspaceOutput {
  if (!row) throw accountErrors.workspace_not_found();
  return {
    ...row,
    createdAt: new Date(row.createdAt).toISOString(),
    suspendedAt: row.suspendedAt && new Date(row.suspendedAt).toISOString(),
  };
}
