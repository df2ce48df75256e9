import { databaseTime } from '@service/database';
import type { DBTransactionAdapter } from 'better-auth';
import { createSlug } from './slug.ts';

/** Writes a workspace and its first owner through the caller's transaction. Returns the workspace's id. */
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
