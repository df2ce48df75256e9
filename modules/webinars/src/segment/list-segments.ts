import type { AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { Branch } from '../entities/branch.ts';
import { Segment } from '../entities/segment.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import type { ListInput } from './inputs.ts';
import { branchToOutput, segmentToOutput } from './outputs.ts';

type Page = z.output<typeof ListInput>;

/** A page of a webinar's segments, newest first. Throws webinar_not_found. */
export async function listSegments(reader: AccountReader, page: Page) {
  const { scope, where, order } = await pageOf(reader, page, 'segments');
  const segments = await reader.em.find(Segment, where, order);
  return toPage(segments, { limit: page.limit, scope, toItem: segmentToOutput });
}

/** A page of a webinar's branches, newest first. Throws webinar_not_found. */
export async function listBranches(reader: AccountReader, page: Page) {
  const { scope, where, order } = await pageOf(reader, page, 'branches');
  const branches = await reader.em.find(Branch, where, order);
  return toPage(branches, { limit: page.limit, scope, toItem: branchToOutput });
}

async function pageOf(
  reader: AccountReader,
  { webinarId, limit, cursor }: Page,
  list: 'segments' | 'branches',
) {
  const webinar = await findWebinar(reader, webinarId);
  const scope = { list, accountId: reader.accountId, filters: { webinarId: webinar.id } };
  const after = cursorId(cursor, scope);
  return {
    scope,
    where: { accountId: reader.accountId, webinarId: webinar.id, ...(after && { id: { $lt: after } }) },
    order: { orderBy: { id: 'desc' }, limit: limit + 1 },
  } as const;
}
