import { createId, type AccountWriter } from '@service/database';
import { commonErrors, type Issue } from '@service/errors';
import { Branch } from '../entities/branch.ts';
import { Segment } from '../entities/segment.ts';
import { webinarErrors } from '../errors.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';
import { branchesMax, type BranchFields } from './segment-fields.ts';
import { requireSound } from './require-sound.ts';

interface NewBranch extends BranchFields {
  webinarId: string;
}

/**
 * Adds a branch to an adaptive webinar. Throws webinar_not_found, webinar_not_adaptive, validation_failed,
 * branch_limit_reached, webinar_not_publishable.
 */
export async function createBranch(tx: AccountWriter, { webinarId, ...fields }: NewBranch): Promise<Branch> {
  const webinar = await lockWebinar(tx, webinarId);
  if (webinar.kind !== 'adaptive') throw webinarErrors.webinar_not_adaptive();
  const issues = await placeProblems(tx, webinar.id, fields);
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
  const count = await tx.em.count(Branch, { accountId: tx.accountId, webinarId: webinar.id });
  if (count >= branchesMax) throw webinarErrors.branch_limit_reached();
  const branch = tx.em.create(Branch, {
    accountId: tx.accountId,
    id: createId(),
    webinarId: webinar.id,
    ...fields,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  await tx.em.flush();
  await requireSound(tx, webinar);
  return branch;
}

/** Problems of the ends of a branch: a segment that the webinar does not have, or a prompt after the end of its segment. */
export async function placeProblems(
  { em, accountId }: AccountWriter,
  webinarId: string,
  { fromSegmentId, toSegmentId, promptAtSeconds }: BranchFields,
): Promise<Issue[]> {
  const ids = [fromSegmentId, toSegmentId];
  const segments = await em.find(Segment, { accountId, webinarId, id: { $in: ids } });
  const from = segments.find(({ id }) => id === fromSegmentId);
  const issues: Issue[] = [];
  const message = 'The webinar has no such segment.';
  if (!from) issues.push({ path: 'fromSegmentId', message });
  if (!segments.some(({ id }) => id === toSegmentId)) issues.push({ path: 'toSegmentId', message });
  if (from && promptAtSeconds !== null && promptAtSeconds >= from.durationSeconds)
    issues.push({
      path: 'promptAtSeconds',
      message: `Must be less than the durationSeconds of its segment, ${from.durationSeconds}.`,
    });
  return issues;
}
