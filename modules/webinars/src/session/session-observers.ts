import type { EventSubscriber } from '../event/event-subscriber.ts';
import type { Announce } from '../room/announce.ts';

/** Called when a session changes: rules inside the transaction, attendees in the room after it. */
export interface SessionObservers {
  subscriber: EventSubscriber;
  announce: Announce;
}
