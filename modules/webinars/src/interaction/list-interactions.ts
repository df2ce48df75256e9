import type { AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { Interaction } from '../entities/interaction.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import type { ListInteractionsInput } from './inputs.ts';
import { interactionToOutput } from './to-output.ts';

/** A page of a webinar's interactions, newest first. Throws webinar_not_found. */
export async function listInteractions(
  reader: AccountReader,
  { webinarId, type, enabled, limit, cursor }: z.output<typeof ListInteractionsInput>,
) {
  const webinar = await findWebinar(reader, webinarId);
  const filters = { webinarId: webinar.id, ...(type && { type }), ...(enabled !== undefined && { enabled }) };
  const scope = { list: 'interactions', accountId: reader.accountId, filters };
  const after = cursorId(cursor, scope);
  const interactions = await reader.em.find(
    Interaction,
    { accountId: reader.accountId, ...filters, ...(after && { id: { $lt: after } }) },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  return toPage(interactions, { limit, scope, toItem: interactionToOutput });
}
