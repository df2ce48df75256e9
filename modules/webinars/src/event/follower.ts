import type { AccountWriter } from '@service/database';
import type { Session } from '../session/session.ts';
import type { AttendeeEvent } from './attendee-event.ts';
import type { AttendeeEventType } from './event-types.ts';

/** Those who listen to a webinar's events. */
export interface Listeners {
  /** Watched minutes somebody waits for; only these become events. Ascending. */
  minutes: readonly number[];
  /** The same of percents. */
  percents: readonly number[];
  /** Acts on events of that webinar, inside the transaction that wrote them: what it writes is committed with them or not at all. */
  tell(tx: AccountWriter, events: readonly AttendeeEvent[]): Promise<void>;
}

/** A session that got another time, ended, was called off, or was put back to before its start. */
export interface SessionChange {
  change: 'moved' | 'ended' | 'cancelled' | 'reset';
  session: Session;
}

/** What hears of events; the composition wires automations to it. This module knows nothing of rules. */
export interface EventFollower {
  /**
   * Who listens to a webinar now. Asked before anything is written, and cheap where nobody does. `expected` says what will be
   * told, so that what that takes is looked up beside the caller's own statements.
   */
  listen(tx: AccountWriter, webinarId: string, expected?: AttendeeEventType): Promise<Listeners>;
  /** Inside the transaction that changed the sessions, which are of one account. */
  onSessions(tx: AccountWriter, changes: readonly SessionChange[]): Promise<void>;
}
