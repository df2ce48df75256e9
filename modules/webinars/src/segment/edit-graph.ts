// Changes of several rows of a graph at once. Done one by one over the API, a published webinar would be refused halfway, or a failure
// would leave half of the change.
import type { AccountReader, AccountWriter } from '@service/database';
import type { Issue } from '@service/errors';
import { Branch } from '../entities/branch.ts';
import { Segment } from '../entities/segment.ts';
import { webinarErrors } from '../errors.ts';
import { findWebinar, lockWebinar } from '../webinar/find-webinar.ts';
import { findSegmentOf } from './find-segment.ts';
import { branchesFrom } from './graph.ts';
import { requireSound, segmentProblems } from './require-sound.ts';
import { removeSegment } from './update-segment.ts';

interface SegmentAddress {
  webinarId: string;
  segmentId: string;
}

/** A problem that prevents publishing, with the segment or branch at which an editor shows it. */
export interface GraphProblem extends Issue {
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

/**
 * Deletes a segment and all branches to and from it. Its interactions stay and belong to no segment. Throws webinar_not_found,
 * segment_not_found, webinar_not_publishable.
 */
export async function deleteWithBranches(tx: AccountWriter, address: SegmentAddress): Promise<void> {
  const webinar = await lockWebinar(tx, address.webinarId);
  const segment = await findSegmentOf(tx, webinar, address);
  await tx.em.nativeDelete(Branch, {
    accountId: tx.accountId,
    webinarId: webinar.id,
    $or: [{ fromSegmentId: segment.id }, { toSegmentId: segment.id }],
  });
  await removeSegment(tx, segment);
  await requireSound(tx, webinar);
}

/**
 * Makes a segment the only entry. With two updates a published webinar would have two entries or none in between. Throws
 * webinar_not_found, segment_not_found, webinar_not_publishable.
 */
export async function makeEntry(tx: AccountWriter, address: SegmentAddress): Promise<Segment> {
  const { em, accountId, now } = tx;
  const webinar = await lockWebinar(tx, address.webinarId);
  const segment = await findSegmentOf(tx, webinar, address);
  const entries = await em.find(Segment, { accountId, webinarId: webinar.id, isEntry: true });
  for (const entry of entries) em.assign(entry, { isEntry: false, updatedAt: now });
  em.assign(segment, { isEntry: true, updatedAt: now });
  await em.flush();
  await requireSound(tx, webinar);
  return segment;
}

interface BranchOrder {
  webinarId: string;
  segmentId: string;
  branchIds: readonly string[];
}

/**
 * Orders the branches that leave a segment: their priorities become 0, 1, 2 and so on. Branches that are not named follow in their
 * present order. Throws webinar_not_found, segment_not_found, branch_not_found.
 */
export async function orderBranches(tx: AccountWriter, order: BranchOrder): Promise<Branch[]> {
  const { em, accountId, now } = tx;
  const webinar = await lockWebinar(tx, order.webinarId);
  const segment = await findSegmentOf(tx, webinar, order);
  const branches = await em.find(Branch, { accountId, webinarId: webinar.id, fromSegmentId: segment.id });
  const byId = new Map(branches.map((branch) => [branch.id, branch]));
  const named = [...new Set(order.branchIds)].map((id) => byId.get(id));
  if (named.includes(undefined)) throw webinarErrors.branch_not_found();
  const others = branchesFrom({ branches }, segment.id).filter(({ id }) => !order.branchIds.includes(id));
  const ordered = [...named.filter((branch) => branch !== undefined), ...others];
  for (const [priority, branch] of ordered.entries())
    if (branch.priority !== priority) em.assign(branch, { priority, updatedAt: now });
  await em.flush();
  return ordered;
}
