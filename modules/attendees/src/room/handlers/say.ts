import { createId } from '@service/database';
import { attendeeErrors } from '../../errors.ts';
import type { RoomChange, AttendeeSnapshot } from '../room-call.ts';
import { requireLive } from '../attendee-state.ts';

/** Sends a chat message. Its id is that of its event. Throws chat_off, session_not_live. */
export function say(snapshot: AttendeeSnapshot, text: string): RoomChange<{ id: string; sentAt: string }> {
  if (snapshot.webinar.room.chatMode === 'off') throw attendeeErrors.chat_off();
  requireLive(snapshot);
  const id = createId();
  const sentAt = snapshot.now.toISOString();
  return {
    events: [
      {
        id,
        type: 'chat_response',
        occurredAt: snapshot.now,
        data: { message: text, sent_at: sentAt, message_event_id: id },
      },
    ],
    isPublic: true,
    answer: () => ({ id, sentAt }),
  };
}
