import type { AccountWriter } from '@service/database';
import type { AttendeeEventType } from './event-types.ts';
import type { AttendeeEvent } from './publish-events.ts';

/** The events of one webinar that the subscriber needs, and the function that gets them. */
export interface EventInterest {
  /** Watched minutes that rules wait for; only these become events. Ascending. */
  minutes: readonly number[];
  /** Watched percents that rules wait for. */
  percents: readonly number[];
  /** Gets events of the webinar in the transaction that wrote them, so its writes are committed with the events or not at all. */
  onEvents(tx: AccountWriter, events: readonly AttendeeEvent[]): Promise<void>;
}

/** Another module's code that is called when events are published; the composition passes in automations'. This module knows no rules. */
export interface EventSubscriber {
  /**
   * Finds what the subscriber needs of a webinar's events now. Called before anything is written, and cheap for a webinar
   * without rules. `expected` names the event that will be published, so that its rules are loaded beside the caller's own
   * statements.
   */
  findInterest(tx: AccountWriter, webinarId: string, expected?: AttendeeEventType): Promise<EventInterest>;
}
