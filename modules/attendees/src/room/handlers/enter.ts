import { createId } from '@service/database';
import { startPath, statusAt } from '@service/webinars';
import { openVisit } from '../../attendance/heartbeat.ts';
import { attendeeErrors } from '../../errors.ts';
import type { JoinLinks } from '../../registration/join-token.ts';
import type { RoomChange, AttendeeSnapshot } from '../room-call.ts';
import type { VisitOutput } from '../schemas.ts';
import { showInteraction } from '../show-interaction.ts';
import { pathStateOf, positionOf } from '../attendee-state.ts';

/** Opens a page and returns everything that it shows. Throws room_closed. */
export function enter(
  snapshot: AttendeeSnapshot,
  joinLinks: Pick<JoinLinks, 'clickUrlOf'>,
): RoomChange<VisitOutput> {
  requireOpen(snapshot);
  const visitId = createId();
  const { session, now, graph } = snapshot;
  const { accountId, registrationId, webinarId } = snapshot.attendance;
  const attendance = openVisit(snapshot.attendance, {
    accountId,
    registrationId,
    webinarId,
    sessionId: session.id,
    visitId,
    now,
    path: snapshot.attendance.path ?? (graph ? startPath(graph) : null),
  });
  const entered = { ...snapshot, attendance };
  return { attendance, answer: () => welcome(entered, visitId, joinLinks) };
}

/** An attendee whose first visit was before the room closed can come back. Throws room_closed. */
function requireOpen({ session, webinar, attendance, now }: AttendeeSnapshot): void {
  const { lateJoin, lateCutoffMinutes } = webinar.room;
  if (session.kind === 'on_demand' || (lateJoin !== 'closed' && lateCutoffMinutes === null)) return;
  const startsAt = session.actualStartedAt ?? session.startsAt;
  const minutes = lateJoin === 'closed' ? 0 : lateCutoffMinutes!;
  const closesAt = new Date(startsAt.getTime() + minutes * 60_000);
  const wasThere = attendance.visits.length > 0 && attendance.firstVisitAt < closesAt;
  if (statusAt(session, now) === 'live' && now >= closesAt && !wasThere) throw attendeeErrors.room_closed();
}

function welcome(
  snapshot: AttendeeSnapshot,
  visitId: string,
  joinLinks: Pick<JoinLinks, 'clickUrlOf'>,
): VisitOutput {
  const { now, webinar, session, registration } = snapshot;
  return {
    visitId,
    serverNow: now.toISOString(),
    webinar: {
      id: webinar.id,
      title: webinar.publicTitle ?? webinar.title,
      description: webinar.description ?? null,
      kind: webinar.kind,
      durationSeconds: webinar.durationSeconds,
      video: webinar.video ?? null,
      seekAllowed: webinar.room.seekAllowed,
      chatMode: webinar.room.chatMode,
    },
    attendee: { name: registration!.name },
    session: {
      status: statusAt(session, now),
      startsAt: session.startsAt.toISOString(),
      endsAt: session.endsAt.toISOString(),
      positionSeconds: positionOf(snapshot),
    },
    interactions: snapshot.interactions.map((interaction) =>
      showInteraction(interaction, snapshot, joinLinks),
    ),
    path: pathStateOf(snapshot),
  };
}
