import { createId } from '@service/database';
import { publicTitleOf, startPath, statusAt } from '@service/webinars';
import { openVisit } from '../../attendance/heartbeat.ts';
import { attendeeErrors } from '../../errors.ts';
import { lobbyOpensAt, phaseAt } from '../phase.ts';
import type { AttendeeSnapshot, RoomChange } from '../room-call.ts';
import type { VisitOutput } from '../schemas.ts';
import { isOwnPace } from '../../attendance/live-position.ts';
import { inReplay, pathStateOf, positionOf } from '../attendee-state.ts';
import { shownInteractions } from '../shown-interactions.ts';

type OpenPhase = VisitOutput['phase'];

/** Opens a page and returns everything that it shows. Throws room_not_open, room_closed, session_ended, replay_over. */
export function enter(snapshot: AttendeeSnapshot): RoomChange<VisitOutput> {
  const phase = requireOpen(snapshot);
  const visitId = createId();
  const { session, now, graph } = snapshot;
  const { accountId, registrationId, webinarId } = snapshot.attendance;
  const isReplay = phase === 'replay';
  const start = graph ? startPath(graph) : null;
  const opened = openVisit(snapshot.attendance, {
    accountId,
    registrationId,
    webinarId,
    sessionId: session.id,
    visitId,
    now,
    path: isReplay ? null : start,
  });
  // A replay begins at the start, for each visit.
  const attendance = isReplay ? { ...opened, replayPath: start && { visitId, path: start } } : opened;
  const entered = { ...snapshot, attendance };
  const welcomed = welcome(isReplay ? inReplay(entered, visitId) : entered, visitId, phase);
  return { attendance, answer: () => welcomed };
}

function requireOpen(snapshot: AttendeeSnapshot): OpenPhase {
  const { session, webinar, now } = snapshot;
  const phase = phaseAt(snapshot, now);
  if (phase === 'scheduled')
    throw attendeeErrors.room_not_open({ details: { opensAt: lobbyOpensAt(snapshot).toISOString() } });
  if (phase === 'ended' && webinar.replay.enabled) throw attendeeErrors.replay_over();
  if (phase === 'ended' || phase === 'cancelled')
    throw attendeeErrors.session_ended({ details: { status: statusAt(session, now) } });
  requireEarlyEnough(snapshot);
  return phase;
}

/** An attendee whose first visit was before the room closed can come back. */
function requireEarlyEnough({ session, webinar, attendance, now }: AttendeeSnapshot): void {
  const { lateJoin, lateCutoffMinutes } = webinar.room;
  if (session.kind === 'on_demand' || (lateJoin !== 'closed' && lateCutoffMinutes === null)) return;
  const startsAt = session.actualStartedAt ?? session.startsAt;
  const minutes = lateJoin === 'closed' ? 0 : lateCutoffMinutes!;
  const closesAt = new Date(startsAt.getTime() + minutes * 60_000);
  const wasThere = attendance.visits.length > 0 && attendance.firstVisitAt < closesAt;
  if (statusAt(session, now) === 'live' && now >= closesAt && !wasThere) throw attendeeErrors.room_closed();
}

function welcome(snapshot: AttendeeSnapshot, visitId: string, phase: OpenPhase): VisitOutput {
  const { now, webinar, session, registration } = snapshot;
  const isReplay = phase === 'replay';
  return {
    visitId,
    serverNow: now.toISOString(),
    webinar: {
      id: webinar.id,
      title: publicTitleOf(webinar),
      description: webinar.description ?? null,
      kind: webinar.kind,
      durationSeconds: webinar.durationSeconds,
      video: webinar.video ?? null,
      seekAllowed: isReplay || webinar.room.seekAllowed,
      chatMode: webinar.room.chatMode,
    },
    attendee: { name: registration!.name },
    phase,
    session: {
      status: statusAt(session, now),
      startsAt: session.startsAt.toISOString(),
      endsAt: session.endsAt.toISOString(),
      positionSeconds: isReplay ? 0 : positionOf(snapshot),
      isReplay,
      pace: paceOf(snapshot, phase),
    },
    ...shownInteractions(snapshot, isReplay),
    path: pathStateOf(snapshot),
  };
}

function paceOf(snapshot: AttendeeSnapshot, phase: OpenPhase): VisitOutput['session']['pace'] {
  if (phase === 'replay' || isOwnPace(snapshot)) return 'own';
  return snapshot.session.control === 'api' ? 'led' : 'shared';
}
