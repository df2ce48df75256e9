import { enterSegment, nextBranch } from '@service/webinars';
import { factsOf } from '../../attendance/facts.ts';
import type { HeartbeatInput } from '../../attendance/heartbeat-input.ts';
import { applyBeat, applyLeave, type Beaten } from '../../attendance/heartbeat.ts';
import { factsOfAttendance } from '../../entities/attendance.ts';
import type { Act, ActEvent, Scene } from '../scene.ts';
import type { HeartbeatOutput } from '../schemas.ts';
import { standing } from '../where.ts';
import { branchTaken } from './take-branch.ts';

/** Applies a heartbeat. Throws visit_not_found. */
export function beat(scene: Scene, input: HeartbeatInput): Act<HeartbeatOutput> {
  const led = follow(scene);
  return move(led, applyBeat(led.attendance, input, led));
}

/** Applies the last heartbeat of a page that is being closed. Throws visit_not_found. */
export function leave(scene: Scene, input: HeartbeatInput): Act<HeartbeatOutput> {
  const led = follow(scene);
  return move(led, applyLeave(led.attendance, input, led));
}

/** Moves the viewer to the segment that the last `advance` of an API-controlled session has set. */
function follow(scene: Scene): Scene {
  const { session, graph, attendance } = scene;
  const { path } = attendance;
  const leadsTo = session.control === 'api' ? session.currentSegmentId : null;
  if (!graph || !path || leadsTo === null || leadsTo === undefined || leadsTo === path.currentId)
    return scene;
  if (graph.segments.every(({ id }) => id !== leadsTo)) return scene;
  return { ...scene, attendance: { ...attendance, path: enterSegment(path, leadsTo, graph) } };
}

/** At the end of a segment, a viewer without choices moves on at once. */
function move(scene: Scene, { attendance, events, isJoin, segmentEnded }: Beaten): Act<HeartbeatOutput> {
  const moved = segmentEnded ? takeNext({ ...scene, attendance }) : undefined;
  const after = { ...scene, attendance: moved?.attendance ?? attendance };
  return {
    attendance: after.attendance,
    events: moved ? [...events, moved.event] : events,
    isJoin,
    answer: () => standing(after),
  };
}

function takeNext(scene: Scene): { attendance: Scene['attendance']; event: ActEvent } | undefined {
  const { graph, attendance, person, session, chatMessages, evaluation, now } = scene;
  const { path } = attendance;
  if (!graph || !path || !person) return undefined;
  const facts = factsOf({
    registration: person,
    session,
    facts: factsOfAttendance(attendance),
    chatMessages,
  });
  const budget = evaluation.budgetOf(attendance.registrationId);
  const next = nextBranch(graph, path.currentId, { facts, budget });
  budget.finish();
  if (next === undefined || next === 'ask') return undefined;
  return {
    attendance: { ...attendance, path: enterSegment(path, next.toSegmentId, graph) },
    event: branchTaken(next, now),
  };
}
