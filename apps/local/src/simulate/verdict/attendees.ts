import type { Expected } from './expectations.ts';

/** A registered attendee with the expected records. */
export interface Attendee {
  registrationId: string;
  email: string;
  expected: Expected;
}

/** The records of an attendee that is compared in full. */
export interface AttendeeRecord {
  events: ReadonlyMap<string, number>;
  /** Undefined without a `left` event. */
  watchedSeconds: number | undefined;
  /** Counts of firings by source. */
  fired: ReadonlyMap<string, number>;
}

export interface Records {
  /** Statuses of all registrations. */
  statuses: ReadonlyMap<string, string>;
  attendees: ReadonlyMap<string, AttendeeRecord>;
}
