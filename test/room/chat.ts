import { createId } from '@service/database';
import type { Attendee } from '../support/attendee.ts';
import { eventually } from '../support/eventually.ts';
import type { EventListener } from '../support/event-source.ts';
import type { World } from '../support/world.ts';

/** Writes a message like another process does, at any time of its clock, without a notification. */
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

/** Waits until a listener has got a text. Returns all texts that they have got. */
export const hears = (listener: EventListener, text: string): Promise<string[]> =>
  eventually(`“${text}” is heard`, () => {
    const texts = textsOf(listener.items);
    return texts.includes(text) && texts;
  });

/** Waits until a stream has sent the content from before its start. */
export const opened = (listener: EventListener): Promise<boolean> =>
  eventually('the stream has begun', () => listener.lastEventId() !== '');

/** The items of a feed beside the session, which is sent first and when it starts or ends. */
export const besideSession = <Item extends { type?: unknown }>(items: readonly Item[]): Item[] =>
  items.filter(({ type }) => type !== 'session');
