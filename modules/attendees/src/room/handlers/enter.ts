import { createId } from '@service/database';
import { type Interaction, type InteractionDetails, pollOf, startPath, statusAt } from '@service/webinars';
import { openVisit } from '../../attendance/heartbeat.ts';
import { attendeeErrors } from '../../errors.ts';
import type { JoinLinks } from '../../registration/join-token.ts';
import type { AttendeeSnapshot, RoomChange } from '../room-call.ts';
import type { VisitOutput } from '../schemas.ts';
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

type Shown = VisitOutput['interactions'][number];

/** An interaction as attendees see it: without the internal name, and with the click link instead of the URL. */
function showInteraction(
  interaction: Interaction,
  { holder, attendance }: Pick<AttendeeSnapshot, 'holder' | 'attendance'>,
  joinLinks: Pick<JoinLinks, 'clickUrlOf'>,
): Shown {
  const poll = pollOf(interaction);
  return {
    id: interaction.id,
    type: interaction.type,
    headline: interaction.headline,
    body: interaction.body ?? null,
    segmentId: interaction.segmentId ?? null,
    showAtSeconds: interaction.showAtSeconds,
    hideAtSeconds: interaction.hideAtSeconds ?? null,
    display: interaction.display,
    dismissible: interaction.dismissible,
    ...(poll
      ? {
          options: poll.options,
          multiple: poll.multiple,
          answered: [...(attendance.answers[interaction.id] ?? [])],
        }
      : {
          ...publicDetails(interaction.details),
          clickUrl: joinLinks.clickUrlOf(holder, interaction.id),
        }),
  };
}

function publicDetails(details: InteractionDetails): Partial<Shown> {
  if ('fileName' in details) return { fileName: details.fileName };
  if (!('priceMinor' in details)) return 'buttonLabel' in details ? { buttonLabel: details.buttonLabel } : {};
  const { buttonLabel, priceMinor, currency, imageUrl, couponCode, countdownSeconds } = details;
  return { buttonLabel, priceMinor, currency, imageUrl, couponCode, countdownSeconds };
}
