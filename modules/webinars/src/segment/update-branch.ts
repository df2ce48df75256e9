import type { AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import type { z } from 'zod';
import type { Branch } from '../entities/branch.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';
import { branchProblems } from './branch-problems.ts';
import { placeProblems } from './create-branch.ts';
import type { BranchFields } from './segment-fields.ts';
import { findBranchOf } from './find-segment.ts';
import type { BranchInput } from './inputs.ts';
import { branchToOutput } from './segment-outputs.ts';
import { requireSound } from './require-sound.ts';

type Address = z.output<typeof BranchInput>;

/**
 * Changes the given fields. Throws webinar_not_found, branch_not_found, validation_failed with all problems of the result,
 * webinar_not_publishable.
 */
export async function updateBranch(
  tx: AccountWriter,
  address: Address,
  changes: Partial<BranchFields>,
): Promise<Branch> {
  const webinar = await lockWebinar(tx, address.webinarId);
  const branch = await findBranchOf(tx, webinar, address);
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
export async function deleteBranch(tx: AccountWriter, address: Address): Promise<void> {
  const webinar = await lockWebinar(tx, address.webinarId);
  const branch = await findBranchOf(tx, webinar, address);
  await tx.em.remove(branch).flush();
  await requireSound(tx, webinar);
}
