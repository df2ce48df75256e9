import { createId } from '@service/database';
import type { Attendee } from '../support/attendee.ts';
import { eventually } from '../support/eventually.ts';
import type { EventListener } from '../support/event-source.ts';
import type { World } from '../support/world.ts';

/** A message as another process may have written it, and said nothing: at any time of its clock, visible only now. */
export async function writeMessage(
  world: World,
  { registrationId, sessionId }: Attendee,
  { text, at }: { text: string; at: Date },
): Promise<void> {
  const id = createId(at);
  await world.service.db.database.pool.query(
    `insert into attendees.attendee_event
       (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
     values ($1, $2, $3, $4, $5, 'chat_response', $6, $7)`,
    [
      world.accountId,
      id,
      world.webinar.id,
      sessionId,
      registrationId,
      at,
      { message: text, sent_at: at.toISOString(), message_event_id: id },
    ],
  );
}

export const secondsAgo = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

export const textsOf = (items: readonly { type?: unknown; text?: unknown }[]): string[] =>
  items.filter(({ type }) => type === 'message').map(({ text }) => text as string);

/** Waits until somebody has heard a text, and gives all they have heard by then. */
export const hears = (listener: EventListener, text: string): Promise<string[]> =>
  eventually(`“${text}” is heard`, () => {
    const texts = textsOf(listener.items);
    return texts.includes(text) && texts;
  });

/** Waits until a stream has brought all that was there when it began. */
export const opened = (listener: EventListener): Promise<boolean> =>
  eventually('the stream has begun', () => listener.lastEventId() !== '');
