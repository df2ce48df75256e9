export { attendeesModule } from './module.ts';
export { attendeeErrors } from './errors.ts';

export { createJoinLinks, type JoinLinks, type JoinToken } from './registration/join-token.ts';
export { createJoinUrlFinder } from './registration/join-urls.ts';
export { searchRegistrations } from './registration/search-registrations.ts';
export {
  countEmails,
  countPeople,
  countRegistrationsBetween,
  findEmailBefore,
  listEmails,
  type PeopleCount,
} from './registration/count-registrations.ts';
export { findJourney, type Journey } from './touch/find-touches.ts';
export { purchaseEventTypes, type RevenueReader } from './registration/revenue-reader.ts';
export { setPurchased } from './touch/record-purchases.ts';
export { findAddresses, findClicks, type Click } from './touch/find-touches.ts';
export { findHistories, type PersonHistory } from './touch/find-touches.ts';
export { publishForRegistrations } from './touch/record-purchases.ts';
export { attendeeEventTypes, type AttendeeEventType } from './entities/attendee-event.ts';
export type { AttendeeEvent } from './event/publish-events.ts';
export {
  combineSubscribers,
  type EventInterest,
  type EventSubscriber,
  type RegistrationChange,
  type RequestedErasure,
} from './event/event-subscriber.ts';

export { chatMessages } from './event/past-events.ts';
export { factsOf } from './attendance/find-attendees.ts';
export {
  findAttendees,
  findAttendeesByEmail,
  hasAttended,
  loadAttendees,
  type Attendee,
} from './attendance/find-attendees.ts';
export { happenedBetween } from './event/past-events.ts';
export { findLatestRegistrants, findRegistrants } from './registration/find-registration.ts';
export { latestEvents } from './event/past-events.ts';
export { listRoster } from './attendance/find-attendees.ts';
export { HeartbeatInput } from './attendance/heartbeat-input.ts';

export { continueErasures, findErased, type Erasers } from './erasure/erasures.ts';
export { createCalendar, type Calendar } from './page/calendar.ts';
export { createRoom } from './room/create-room.ts';
export { roomOperations, type RoomOperation } from './room/room-operations.ts';
export { createRoomFeed, type RoomFeed } from './room/feed.ts';
export type { FeedPage } from './room/feed-snapshot.ts';
export type { Room } from './room/room.ts';
export { AnswerInput, MessageInput, TakeBranchInput } from './room/schemas.ts';
export type {
  FeedItem,
  HeartbeatOutput,
  MessageItem,
  PersonalPage,
  PersonalPageData,
  PollResults,
  RoomInteraction,
  RoomPhase,
  RoomPreview,
  VisitOutput,
} from './room/schemas.ts';
export type { Announce } from './room/feed.ts';

export type { ClockSubscriber } from './clock/round.ts';
export { runSessionClock, type ClockCounts } from './clock/run-session-clock.ts';
export { createFormTokens, type FormTokens } from './page/form-tokens.ts';
export type { BrandingReader } from './page/schemas.ts';
export type { Branding, RegistrationPageInput, RegistrationPageOutput, WebinarPage } from './page/schemas.ts';
