import { type AccountReader, statement, withinBytes, withinBytesColumns } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { branchRow, Segment } from '../entities/segment.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import { branchToOutput, type ListInput, segmentToOutput } from './schemas.ts';

type Page = z.output<typeof ListInput>;

/** A page of a webinar's segments, newest first. Throws webinar_not_found. */
export async function listSegments(reader: AccountReader, { limit, ...page }: Page) {
  const { accountId, webinarId, scope, after } = await placeOf(reader, page, 'segments');
  const segments = await reader.em.find(
    Segment,
    { accountId, webinarId, ...(after && { id: { $lt: after } }) },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  return toPage(segments, { limit, scope, toItem: segmentToOutput });
}

const selectBranches = statement({
  name: 'webinars.select_page_of_branches',
  text: withinBytes(
    `select * from webinars.branch
     where account_id = $1 and webinar_id = $2 and ($3::uuid is null or id < $3)
     order by id desc limit $4`,
    { wide: ['conditions'], orderBy: 'id desc' },
  ),
  row: { ...branchRow.columns, ...withinBytesColumns },
});

/** A page of a webinar's branches, newest first. Throws webinar_not_found. */
export async function listBranches(reader: AccountReader, { limit, ...page }: Page) {
  const { accountId, webinarId, scope, after } = await placeOf(reader, page, 'branches');
  const rows = await reader.query(selectBranches, [accountId, webinarId, after ?? null, limit + 1]);
  const toItem = (row: (typeof rows)[number]) => branchToOutput(branchRow.toEntity(row));
  return toPage(rows, { limit, scope, found: rows[0]?.found, toItem });
}

async function placeOf(
  reader: AccountReader,
  { webinarId, cursor }: Omit<Page, 'limit'>,
  list: 'segments' | 'branches',
) {
  const { accountId } = reader;
  const webinar = await findWebinar(reader, webinarId);
  const scope = { list, accountId, filters: { webinarId: webinar.id } };
  return { accountId, webinarId: webinar.id, scope, after: cursorId(cursor, scope) };
}
