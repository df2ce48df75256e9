import { randomBytes } from 'node:crypto';
import { databaseTime } from '@service/database';
import slugify from '@sindresorhus/slugify';
import type { DBTransactionAdapter } from 'better-auth';

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

const slugLengthMax = 40;

/** A name as part of a URL: `Zoë & Søn` becomes `zoe-and-son-1f0c9ab2`. The random end makes it unique. */
export function createSlug(name: string): string {
  const slug = slugify(name, { decamelize: false }).slice(0, slugLengthMax).replace(/-$/, '');
  return `${slug || 'workspace'}-${randomBytes(4).toString('hex')}`;
}
