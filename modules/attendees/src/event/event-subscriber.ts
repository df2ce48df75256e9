import type { AccountWriter } from '@service/database';
import type { Session, SessionSubscriber } from '@service/webinars';
import type { AttendeeEventType } from '../entities/attendee-event.ts';
import type { Registration } from '../entities/registration.ts';
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

/** Code of other modules that is called when events are published, such as that of automations. This module knows no rules. */
export interface EventSubscriber {
  /**
   * Finds what the subscriber needs of a webinar's events now. Called before anything is written, and cheap for a webinar
   * without rules. `expected` names the event that will be published, so that its rules are loaded beside the caller's own
   * statements.
   */
  findInterest(tx: AccountWriter, webinarId: string, expected?: AttendeeEventType): Promise<EventInterest>;
  /** Called before a call that publishes many events. Throws when the account has no room for what would follow from them. */
  requireRoom?(tx: AccountWriter): Promise<void>;
  /** Called in the transaction in which a registration was moved to another session or cancelled. */
  onRegistration?(tx: AccountWriter, change: RegistrationChange): Promise<void>;
  /** Called in a transaction in which a person asked for the join link of their registration, which they have lost. */
  onLinkRequested?(tx: AccountWriter, registration: Registration): Promise<void>;
  /** Called in the transaction in which an owner asks for an erasure. Later facts concern a person who has come back. */
  onErasure?(tx: AccountWriter, erasure: RequestedErasure): Promise<void>;
}

export interface RequestedErasure {
  erasureId: string;
  /** In lower case. */
  email: string;
  /** The time of the request. */
  until: Date;
}

/** A registration with its session after the change. */
export interface RegistrationChange {
  registration: Registration;
  session: Pick<Session, 'id' | 'kind' | 'startsAt' | 'endsAt'>;
  /** The start of the session before a move. Undefined: the registration was cancelled. */
  formerStartsAt?: Date;
}

type Subscriber = EventSubscriber & SessionSubscriber;

/** Makes one subscriber of several. They are called one after the other, in the same transaction. */
export function combineSubscribers(subscribers: readonly Subscriber[]): Subscriber {
  const [only] = subscribers;
  if (only && subscribers.length === 1) return only;
  return {
    async findInterest(...call) {
      const interests = await Promise.all(subscribers.map((each) => each.findInterest(...call)));
      return {
        minutes: unionOf(interests.map(({ minutes }) => minutes)),
        percents: unionOf(interests.map(({ percents }) => percents)),
        async onEvents(tx, events) {
          for (const interest of interests) await interest.onEvents(tx, events);
        },
      };
    },
    async requireRoom(tx) {
      for (const each of subscribers) await each.requireRoom?.(tx);
    },
    async onRegistration(tx, change) {
      for (const each of subscribers) await each.onRegistration?.(tx, change);
    },
    async onLinkRequested(tx, registration) {
      for (const each of subscribers) await each.onLinkRequested?.(tx, registration);
    },
    async onErasure(tx, erasure) {
      for (const each of subscribers) await each.onErasure?.(tx, erasure);
    },
    async onSessions(tx, changes) {
      for (const each of subscribers) await each.onSessions(tx, changes);
    },
    async onWebinarDeleted(tx, webinarId) {
      for (const each of subscribers) await each.onWebinarDeleted?.(tx, webinarId);
    },
  };
}

/** Ascending. A subscriber also gets the events of marks that only another one waits for. */
const unionOf = (marks: readonly (readonly number[])[]): number[] =>
  [...new Set(marks.flat())].toSorted((one, other) => one - other);
