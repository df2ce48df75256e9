import { statement, withinBytes, withinBytesColumns, type AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { interactionRow } from '../entities/interaction.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import type { ListInteractionsInput } from './inputs.ts';
import { interactionToOutput } from './interaction-to-output.ts';

const selectPage = statement({
  name: 'webinars.select_page_of_interactions',
  text: withinBytes(
    `select * from webinars.interaction
     where account_id = $1 and webinar_id = $2 and ($3::text is null or type = $3)
       and ($4::boolean is null or enabled = $4) and ($5::uuid is null or id < $5)
     order by id desc limit $6`,
    { wide: ['body', 'show_when', 'details'], orderBy: 'id desc' },
  ),
  row: { ...interactionRow.columns, ...withinBytesColumns },
});

/** A page of a webinar's interactions, newest first. Throws webinar_not_found. */
export async function listInteractions(
  reader: AccountReader,
  { webinarId, type, enabled, limit, cursor }: z.output<typeof ListInteractionsInput>,
) {
  const { accountId } = reader;
  const webinar = await findWebinar(reader, webinarId);
  const filters = { webinarId: webinar.id, ...(type && { type }), ...(enabled !== undefined && { enabled }) };
  const scope = { list: 'interactions', accountId, filters };
  const after = cursorId(cursor, scope);
  const values = [accountId, webinar.id, type ?? null, enabled ?? null, after ?? null, limit + 1];
  const rows = await reader.query(selectPage, values);
  const toItem = (row: (typeof rows)[number]) => interactionToOutput(interactionRow.toEntity(row));
  return toPage(rows, { limit, scope, found: rows[0]?.found, toItem });
}
