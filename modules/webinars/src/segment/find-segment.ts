import type { AccountReader } from '@service/database';
import type { z } from 'zod';
import { Branch } from '../entities/branch.ts';
import { Segment } from '../entities/segment.ts';
import type { Webinar } from '../entities/webinar.ts';
import { webinarErrors } from '../errors.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import type { BranchInput, SegmentInput } from './inputs.ts';

type SegmentAddress = z.output<typeof SegmentInput>;
type BranchAddress = z.output<typeof BranchInput>;

/** A segment of the account's webinar. Throws webinar_not_found, segment_not_found. */
export async function findSegment(reader: AccountReader, address: SegmentAddress): Promise<Segment> {
  return findSegmentOf(reader, await findWebinar(reader, address.webinarId), address);
}

/** Like findSegment, for a webinar that is already loaded. */
export async function findSegmentOf(
  { em, accountId }: AccountReader,
  webinar: Pick<Webinar, 'id'>,
  { segmentId }: Pick<SegmentAddress, 'segmentId'>,
): Promise<Segment> {
  const segment = await em.findOne(Segment, { accountId, webinarId: webinar.id, id: segmentId });
  if (!segment) throw webinarErrors.segment_not_found();
  return segment;
}

/** A branch of the account's webinar. Throws webinar_not_found, branch_not_found. */
export async function findBranch(reader: AccountReader, address: BranchAddress): Promise<Branch> {
  return findBranchOf(reader, await findWebinar(reader, address.webinarId), address);
}

/** Like findBranch, for a webinar that is already loaded. */
export async function findBranchOf(
  { em, accountId }: AccountReader,
  webinar: Pick<Webinar, 'id'>,
  { branchId }: Pick<BranchAddress, 'branchId'>,
): Promise<Branch> {
  const branch = await em.findOne(Branch, { accountId, webinarId: webinar.id, id: branchId });
  if (!branch) throw webinarErrors.branch_not_found();
  return branch;
}
