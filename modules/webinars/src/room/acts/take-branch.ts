import { webinarErrors } from '../../errors.ts';
import type { Branch } from '../../segment/branch.ts';
import { mayTake, pathState } from '../../segment/choose.ts';
import { enterSegment, movesMax } from '../../segment/walk.ts';
import type { Act, ActEvent, Scene } from '../scene.ts';
import type { PathState } from '../schemas.ts';
import { requireLive } from '../where.ts';

/** Moves the viewer along a branch. Throws branch_not_found, branch_not_open, too_many_moves, session_not_live. */
export function takeBranch(scene: Scene, branchId: string): Act<PathState> {
  const { graph, attendance, session, now } = scene;
  const branch = graph?.branches.find(({ id }) => id === branchId);
  if (!graph || !branch) throw webinarErrors.branch_not_found();
  requireLive(scene);
  const isLed = session.control === 'api' && session.currentSegmentId !== null;
  if (!attendance.path || isLed || !mayTake(branch, attendance.path)) throw webinarErrors.branch_not_open();
  if (attendance.path.moves >= movesMax) throw webinarErrors.too_many_moves();
  const path = enterSegment(attendance.path, branch.toSegmentId, graph);
  return {
    attendance: { ...attendance, path },
    events: [branchTaken(branch, now)],
    answer: () => pathState(graph, path),
  };
}

export const branchTaken = (branch: Branch, now: Date): ActEvent => ({
  type: 'branch_taken',
  occurredAt: now,
  data: { branch_id: branch.id, segment_id: branch.toSegmentId },
});
