export { webinarEntities } from './entities.ts';
export { webinarMigrations, webinarPartitionedTables } from './migrations/index.ts';
export { webinarsRouter } from './webinar/router.ts';
export { createRegistrationsRouter } from './registration/router.ts';
export {
  createJoinLinks,
  type ClickToken,
  type FormerToken,
  type JoinLinks,
  type JoinToken,
  type ReadToken,
} from './registration/join-token.ts';
export { interactionsRouter } from './interaction/router.ts';
export { segmentsRouter } from './segment/router.ts';
export { createSessionsRouter } from './session/router.ts';
export { keepSessionsAhead } from './session/keep-sessions-ahead.ts';
export { runSessionClock, type ClockCounts } from './clock/run-session-clock.ts';
export { onceAt } from './schedule/once-at.ts';
export { chatMessages } from './attendance/chat-messages.ts';
export { createWebinar } from './webinar/create-webinar.ts';
export { publishWebinar } from './webinar/publish-webinar.ts';
export { findWebinar } from './webinar/find-webinar.ts';
export { acceptsEvents } from './webinar/webinar.ts';
export type { AttendeeEvent } from './event/attendee-event.ts';
export { attendeeEventTypes, type AttendeeEventType } from './event/event-types.ts';
export type { EventSubscriber, EventInterest, SessionChange } from './event/event-subscriber.ts';
export { findAttendees, type Attendee } from './attendance/find-attendees.ts';
export { listRoster } from './attendance/roster.ts';
export { happenedBetween } from './attendance/happened.ts';
export { plannedSessions } from './session/planned-sessions.ts';
export { Condition, Conditions, operators } from './condition/condition.ts';
export { evaluateConditions, type ConditionResult } from './condition/evaluate-conditions.ts';
export { factsOf, type AttendeeFacts } from './condition/facts.ts';
export {
  createEvaluation,
  type CpuClock,
  type Evaluation,
  type EvaluationBudget,
} from './condition/evaluation-budget.ts';
export { foldOnce } from './condition/fold-once.ts';
export { holdsText, holdsWord } from './condition/search-text.ts';
export { createRoom } from './room/create-room.ts';
export { createRoomFeed, type RoomFeed } from './room/feed.ts';
export type { FeedPage } from './room/feed-item.ts';
export type { Announce } from './room/announce.ts';
export type { Room, RoomIdentity } from './room/room.ts';
export { AnswerInput, HeartbeatInput, MessageInput } from './room/schemas.ts';
export { CreateWebinarInput } from './webinar/schemas.ts';
export { webinarErrors } from './errors.ts';
