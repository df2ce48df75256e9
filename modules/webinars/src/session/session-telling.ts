import type { EventFollower } from '../event/follower.ts';
import type { Announce } from '../room/announce.ts';

/** Who hears of what becomes of a session: rules inside the transaction, those who are in the room after it. */
export interface SessionTelling {
  follower: EventFollower;
  announce: Announce;
}
