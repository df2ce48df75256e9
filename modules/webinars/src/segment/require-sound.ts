import type { AccountReader } from '@service/database';
import type { Issue } from '@service/errors';
import type { Webinar } from '../entities/webinar.ts';
import { webinarErrors } from '../errors.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import { graphProblems, viewerProblems } from './graph.ts';
import { loadOutline } from './load-graphs.ts';

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

/** The problems of a webinar's segments that prevent publishing. A standard webinar has none, because its segments are ignored. */
export async function segmentProblems(
  reader: Reader,
  webinar: Pick<Webinar, 'id' | 'kind'>,
): Promise<Issue[]> {
  return webinar.kind === 'adaptive' ? graphProblems(await loadOutline(reader, webinar.id)) : [];
}

/**
 * Called after a change was written. Refuses it if viewers of a published webinar could reach a problem. Throws
 * webinar_not_publishable with all problems.
 */
export async function requireSound(
  reader: Reader,
  webinar: Pick<Webinar, 'id' | 'kind' | 'status'>,
): Promise<void> {
  if (webinar.status !== 'published' || webinar.kind !== 'adaptive') return;
  const issues = viewerProblems(await loadOutline(reader, webinar.id));
  if (issues.length > 0) throw webinarErrors.webinar_not_publishable({ issues });
}

/** The check of publishing, for a published webinar that becomes adaptive. Throws webinar_not_publishable with all problems. */
export async function requireWhole(
  reader: Reader,
  webinar: Pick<Webinar, 'id' | 'kind' | 'status'>,
): Promise<void> {
  if (webinar.status !== 'published') return;
  const issues = await segmentProblems(reader, webinar);
  if (issues.length > 0) throw webinarErrors.webinar_not_publishable({ issues });
}

/** A problem that prevents publishing, with the segment or branch at which an editor shows it. */
interface GraphProblem extends Issue {
  segmentId: string | null;
  branchId: string | null;
}

/** The problems of a webinar's graph that publishing would name. A standard webinar has none. Throws webinar_not_found. */
export async function listGraphProblems(reader: AccountReader, webinarId: string): Promise<GraphProblem[]> {
  const issues = await segmentProblems(reader, await findWebinar(reader, webinarId));
  return issues.map((issue) => ({
    ...issue,
    segmentId: idIn(issue, 'segments.'),
    branchId: idIn(issue, 'branches.'),
  }));
}

const idIn = ({ path }: Issue, prefix: string): string | null =>
  path.startsWith(prefix) ? path.slice(prefix.length) : null;
