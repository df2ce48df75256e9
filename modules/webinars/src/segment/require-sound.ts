import type { AccountReader } from '@service/database';
import type { Issue } from '@service/errors';
import { webinarErrors } from '../errors.ts';
import type { Webinar } from '../webinar/webinar.ts';
import { graphProblems } from './graph.ts';
import { loadGraphs } from './load-graphs.ts';

/** What keeps a webinar's segments from being shown to attendees. A standard webinar has none to show. */
export async function segmentProblems(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  { id, kind }: Pick<Webinar, 'id' | 'kind'>,
): Promise<Issue[]> {
  if (kind !== 'adaptive') return [];
  const graphs = await loadGraphs(query, [{ accountId, webinarId: id }]);
  return graphProblems(graphs.get(id)!);
}

/**
 * Called after a change was written: of a webinar that attendees may be in, none is kept that would leave them nowhere to go.
 * Throws webinar_not_publishable with every problem.
 */
export async function requireSound(
  reader: Pick<AccountReader, 'query' | 'accountId'>,
  webinar: Pick<Webinar, 'id' | 'kind' | 'status'>,
): Promise<void> {
  if (webinar.status !== 'published') return;
  const issues = await segmentProblems(reader, webinar);
  if (issues.length > 0) throw webinarErrors.webinar_not_publishable({ issues });
}
