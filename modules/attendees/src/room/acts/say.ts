import { createId } from '@service/database';
import { attendeeErrors } from '../../errors.ts';
import type { Act, Scene } from '../scene.ts';
import { requireLive } from '../where.ts';

/** Sends a chat message. Its id is that of its event. Throws chat_off, session_not_live. */
export function say(scene: Scene, text: string): Act<{ id: string; sentAt: string }> {
  if (scene.webinar.room.chatMode === 'off') throw attendeeErrors.chat_off();
  requireLive(scene);
  const id = createId();
  const sentAt = scene.now.toISOString();
  return {
    events: [
      {
        id,
        type: 'chat_response',
        occurredAt: scene.now,
        data: { message: text, sent_at: sentAt, message_event_id: id },
      },
    ],
    isPublic: true,
    answer: () => ({ id, sentAt }),
  };
}
