export { attendeesModule } from './module.ts';
export { attendeeErrors } from './errors.ts';

export { createJoinLinks, type JoinLinks, type JoinToken } from './registration/join-token.ts';
export { searchRegistrations } from './registration/search-registrations.ts';
export { countPeople, type PeopleCount } from './registration/count-people.ts';
export { findJourney, type Journey } from './registration/find-journey.ts';
export { revenueEventTypes, setPurchased, type RevenueReader } from './registration/registration-revenue.ts';
export { findAddresses, findClicks, type Click } from './touch/find-clicks.ts';
export { findHistories, type PersonHistory } from './touch/find-histories.ts';
export { publishForRegistrations } from './touch/publish-for-registrations.ts';
export { attendeeEventTypes, type AttendeeEventType } from './event/attendee-event-types.ts';
export type { AttendeeEvent } from './event/publish-events.ts';
export { combineSubscribers, type EventInterest, type EventSubscriber } from './event/event-subscriber.ts';

export { chatMessages } from './attendance/chat-messages.ts';
export { factsOf } from './attendance/facts.ts';
export { findAttendees, type Attendee } from './attendance/find-attendees.ts';
export { happenedBetween } from './attendance/happened.ts';
export { findRegistrants } from './registration/find-registration.ts';
export { latestEvents } from './attendance/latest-events.ts';
export { listRoster } from './attendance/roster.ts';
export { HeartbeatInput } from './attendance/heartbeat-input.ts';

export { createRoom } from './room/create-room.ts';
export { createRoomFeed, type RoomFeed } from './room/feed.ts';
export type { FeedPage } from './room/feed-item.ts';
export type { Room } from './room/room.ts';
export { AnswerInput, MessageInput } from './room/schemas.ts';
export type { Announce } from './room/announce.ts';

export type { ClockSubscriber } from './clock/round.ts';
export { runSessionClock, type ClockCounts } from './clock/run-session-clock.ts';
