import { webinarErrors } from '@service/webinars';
import { rememberView } from '../../attendance/remember.ts';
import type { RoomChange, AttendeeSnapshot } from '../room-call.ts';
import { nameInteraction, requireShown } from './handle-click.ts';

/**
 * Records that an attendee saw an interaction, for its statistics. The first view of a registration counts; further ones change
 * nothing. Allowed when a click is. Throws interaction_not_found, session_not_live.
 */
export function view(snapshot: AttendeeSnapshot, interactionId: string): RoomChange<void> {
  const { attendance, now } = snapshot;
  const interaction = snapshot.interactions.find(({ id }) => id === interactionId);
  if (!interaction) throw webinarErrors.interaction_not_found();
  requireShown(snapshot, interaction);
  const answer = (): void => {};
  const views = rememberView(attendance.views, interactionId);
  if (!views) return { answer };
  return {
    attendance: { ...attendance, views },
    recorded: {
      type: 'interaction_view',
      occurredAt: now,
      data: { interactionId, interaction: nameInteraction(interaction) },
    },
    answer,
  };
}
