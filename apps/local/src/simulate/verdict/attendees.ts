import type { Expected } from './expectations.ts';

/** Somebody who was registered, with what must have come of what they did. */
export interface Attendee {
  registrationId: string;
  email: string;
  expected: Expected;
}

/** What the service says of an attendee that is compared in full. */
export interface AttendeeRecord {
  events: ReadonlyMap<string, number>;
  /** Undefined when nothing says it. */
  watchedSeconds: number | undefined;
  /** How often rules fired, by source. */
  fired: ReadonlyMap<string, number>;
}

export interface Records {
  /** Of all. */
  statuses: ReadonlyMap<string, string>;
  attendees: ReadonlyMap<string, AttendeeRecord>;
}
