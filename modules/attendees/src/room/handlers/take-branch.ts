import {
  enterSegment,
  mayTake,
  movesMax,
  pathState,
  webinarErrors,
  type Branch,
  type PathState,
} from '@service/webinars';
import { attendeeErrors } from '../../errors.ts';
import type { RoomChange, RoomEvent, AttendeeSnapshot } from '../room-call.ts';
import { afterReplay, inReplay, isOfReplay, requireLive } from '../attendee-state.ts';
import type { TakeBranchInput } from '../schemas.ts';

/**
 * Moves the viewer along a branch. In a replay nothing is published, and without `visitId` the newest visit of it is moved. Throws
 * branch_not_found, branch_not_open, too_many_moves, session_not_live.
 */
export function takeBranch(
  snapshot: AttendeeSnapshot,
  branchId: string,
  { visitId: given }: TakeBranchInput,
): RoomChange<PathState> {
  const { graph, session, now } = snapshot;
  const branch = graph?.branches.find(({ id }) => id === branchId);
  if (!graph || !branch) throw webinarErrors.branch_not_found();
  const visitId = given ?? snapshot.attendance.replayPath?.visitId ?? '';
  const isReplay = isOfReplay(snapshot, visitId);
  if (!isReplay) requireLive(snapshot);
  const { attendance } = isReplay ? inReplay(snapshot, visitId) : snapshot;
  const isLed = !isReplay && session.control === 'api' && session.currentSegmentId !== null;
  if (!attendance.path || isLed || !mayTake(branch, attendance.path)) throw attendeeErrors.branch_not_open();
  if (attendance.path.moves >= movesMax) throw attendeeErrors.too_many_moves();
  const path = enterSegment(attendance.path, branch.toSegmentId, graph);
  const moved = { ...attendance, path };
  return {
    attendance: isReplay ? afterReplay(snapshot, moved) : moved,
    events: isReplay ? [] : [branchTaken(branch, now)],
    answer: () => pathState(graph, path),
  };
}

export const branchTaken = (branch: Branch, now: Date): RoomEvent => ({
  type: 'branch_taken',
  occurredAt: now,
  data: { branch_id: branch.id, segment_id: branch.toSegmentId },
});
