import type { Agenda } from '../agenda.ts';
import type { Plan } from './behaviour.ts';
import type { ActionLog } from './action-log.ts';
import type { Interactions } from '../verdict/expectations.ts';
import type { Random } from '../random.ts';
import type { Registrant } from '../service/register-all.ts';
import type { Room } from '../service/room-client.ts';
import type { Shop } from '../shop/shop.ts';
import type { SessionClock } from './session-clock.ts';

/** A registered attendee with the planned and the performed actions. */
export interface SimulatedAttendee extends Registrant {
  /** The place in the order of registrations. */
  index: number;
  plan: Plan;
  actionLog: ActionLog;
  /** Open pages of this attendee. */
  openTabs: number;
  /** Click links by interaction id. */
  clickUrls: Map<string, string>;
}

/** The parts that all attendees share. */
export interface World {
  agenda: Agenda;
  room: Room;
  clock: SessionClock;
  interactions: Interactions;
  /** Undefined when the account's revenue sources cannot be used. */
  shop: Shop | undefined;
  videoSeconds: number;
  heartbeatSeconds: number;
  /** Only for choices without an effect on the expectations, such as the exact time of a heartbeat. */
  jitter: Random;
  counters: Counters;
}

/** Counts for the progress line. */
export interface Counters {
  inRoom: number;
  openTabs: number;
  /** Successful clicks, votes and messages. */
  actions: number;
}
