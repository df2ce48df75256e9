import { createId, type AccountWriter } from '@service/database';
import type { z } from 'zod';
import { Webinar } from '../entities/webinar.ts';
import { freeSlug, requireFreeSlug } from '../webinar/slug.ts';
import type { CreateWebinarInput } from './schemas.ts';

/** Makes a draft without sessions. Publishing makes them. Throws webinar_slug_taken. */
export async function createWebinar(
  tx: AccountWriter,
  { slug, ...fields }: z.output<typeof CreateWebinarInput>,
): Promise<Webinar> {
  if (slug !== undefined) await requireFreeSlug(tx, slug);
  const webinar = tx.em.create(Webinar, {
    accountId: tx.accountId,
    id: createId(),
    ...fields,
    slug: slug ?? (await freeSlug(tx, fields.title)),
    status: 'draft',
    publishedAt: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  await tx.em.flush();
  return webinar;
}
