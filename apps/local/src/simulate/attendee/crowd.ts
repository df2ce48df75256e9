import type { Agenda } from '../agenda.ts';
import type { Plan } from './behaviour.ts';
import type { Doings } from './doings.ts';
import type { Interactions } from '../verdict/expectations.ts';
import type { Random } from '../random.ts';
import type { Registrant } from '../service/register.ts';
import type { Room } from '../service/room.ts';
import type { SessionClock } from './session-clock.ts';

/** Somebody who is registered, with what they are going to do and what they have done. */
export interface Performer extends Registrant {
  plan: Plan;
  doings: Doings;
  /** Pages of theirs that are open now. */
  openTabs: number;
  /** Where the buttons lead, by the interactions' ids. */
  clickUrls: Map<string, string>;
}

/** What all attendees share. */
export interface World {
  agenda: Agenda;
  room: Room;
  clock: SessionClock;
  interactions: Interactions;
  videoSeconds: number;
  heartbeatSeconds: number;
  /** Only for what nobody can tell afterwards, such as the exact moment of a heartbeat. */
  jitter: Random;
  tally: Tally;
}

/** How it goes, for the progress line. */
export interface Tally {
  inRoom: number;
  openTabs: number;
  /** Clicks, votes and messages that counted. */
  acts: number;
}
