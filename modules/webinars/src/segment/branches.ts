import { type AccountReader, type AccountWriter, createId } from '@service/database';
import { commonErrors, type Issue } from '@service/errors';
import type { z } from 'zod';
import { Branch, Segment } from '../entities/segment.ts';
import { webinarErrors } from '../errors.ts';
import { findWebinar, lockWebinar } from '../webinar/find-webinar.ts';
import type { Webinar } from '../entities/webinar.ts';
import { branchesMax, type BranchFields, branchProblems } from './segment-fields.ts';
import { requireSound } from './require-sound.ts';
import { type BranchInput, branchToOutput } from './schemas.ts';
import { lockSegment } from './segments.ts';
import { branchesFrom } from './graph.ts';

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
async function placeProblems(
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

/**
 * Changes the given fields. Throws webinar_not_found, branch_not_found, validation_failed with all problems of the result,
 * webinar_not_publishable.
 */
export async function updateBranch(
  tx: AccountWriter,
  address: BranchAddress,
  changes: Partial<BranchFields>,
): Promise<Branch> {
  const { webinar, branch } = await lockBranch(tx, address);
  const fields: BranchFields = { ...branchToOutput(branch), ...changes };
  const issues = [...branchProblems(fields), ...(await placeProblems(tx, webinar.id, fields))];
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
  tx.em.assign(branch, { ...changes, updatedAt: tx.now }, { mergeObjectProperties: false });
  await tx.em.flush();
  await requireSound(tx, webinar);
  return branch;
}

/**
 * Deletes a branch. Viewers who have taken it stay in their segment. Throws webinar_not_found, branch_not_found,
 * webinar_not_publishable.
 */
export async function deleteBranch(tx: AccountWriter, address: BranchAddress): Promise<void> {
  const { webinar, branch } = await lockBranch(tx, address);
  await tx.em.remove(branch).flush();
  await requireSound(tx, webinar);
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
  const { webinar, segment } = await lockSegment(tx, order);
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

type BranchAddress = z.output<typeof BranchInput>;

/** A branch of the account's webinar. Throws webinar_not_found, branch_not_found. */
export async function findBranch(reader: AccountReader, address: BranchAddress): Promise<Branch> {
  return findBranchOf(reader, await findWebinar(reader, address.webinarId), address);
}

/** Like findBranch, and locks the webinar against other changes until the end of the transaction. */
export async function lockBranch(
  tx: AccountWriter,
  address: BranchAddress,
): Promise<{ webinar: Webinar; branch: Branch }> {
  const webinar = await lockWebinar(tx, address.webinarId);
  return { webinar, branch: await findBranchOf(tx, webinar, address) };
}

async function findBranchOf(
  { em, accountId }: AccountReader,
  webinar: Pick<Webinar, 'id'>,
  { branchId }: Pick<BranchAddress, 'branchId'>,
): Promise<Branch> {
  const branch = await em.findOne(Branch, { accountId, webinarId: webinar.id, id: branchId });
  if (!branch) throw webinarErrors.branch_not_found();
  return branch;
}
