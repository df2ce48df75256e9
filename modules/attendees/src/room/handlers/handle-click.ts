import { createId } from '@service/database';
import { statusAt, webinarErrors, type Interaction, type InteractionType } from '@service/webinars';
import { rememberInteraction } from '../../attendance/remember.ts';
import { attendeeErrors } from '../../errors.ts';
import type { AttendeeEventType } from '../../event/attendee-event-types.ts';
import { redirectUrlOf } from '../redirect-url.ts';
import type { RoomChange, AttendeeSnapshot } from '../room-call.ts';

/** The event of a click. Undefined if the interaction has no link. */
const eventOfClick: Record<InteractionType, AttendeeEventType | undefined> = {
  offer: 'cta_click',
  cta: 'cta_click',
  handout: 'handout_download',
  poll: undefined,
};

/**
 * Records a click on an offer or a CTA, or the download of a handout. The event's id is the click id in the redirect. Allowed while
 * the session is live, and after it if the interaction is available in the replay. Throws interaction_not_found, session_not_live.
 */
export function click(
  snapshot: AttendeeSnapshot,
  interactionId: string,
): RoomChange<{ redirectUrl: string }> {
  const { attendance, registration, now } = snapshot;
  const interaction = snapshot.interactions.find(({ id }) => id === interactionId);
  const type = interaction && eventOfClick[interaction.type];
  if (!type || !('url' in interaction.details)) throw webinarErrors.interaction_not_found();
  requireShown(snapshot, interaction);
  const clickId = createId();
  const redirectUrl = redirectUrlOf(interaction.details.url, { clickId, registration: registration! });
  return {
    attendance: {
      ...attendance,
      clicks: rememberInteraction(attendance.clicks, interactionId, interaction.type),
    },
    events: [{ id: clickId, type, occurredAt: now, data: clickData(interaction) }],
    answer: () => ({ redirectUrl }),
  };
}

/** Throws session_not_live. */
export function requireShown({ session, now }: AttendeeSnapshot, { availableInReplay }: Interaction): void {
  const status = statusAt(session, now);
  if (status !== 'live' && !(status === 'ended' && availableInReplay))
    throw attendeeErrors.session_not_live({ details: { status } });
}

const clickData = (interaction: Interaction) => ({
  interactionId: interaction.id,
  ...(interaction.type === 'offer' && { offerId: interaction.id }),
  interaction: nameInteraction(interaction),
});

/** The interaction as webhooks contain it. */
export const nameInteraction = ({ id, headline, internalName }: Interaction) => ({
  id,
  headline,
  internal_name: internalName,
});
