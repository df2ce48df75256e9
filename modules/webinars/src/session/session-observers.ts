import type { EventSubscriber } from '../event/event-subscriber.ts';
import type { Announce } from '../room/announce.ts';

/** Called when a session changes: `subscriber` in the transaction, `announce` after the commit. */
export interface SessionObservers {
  subscriber: EventSubscriber;
  announce: Announce;
}
