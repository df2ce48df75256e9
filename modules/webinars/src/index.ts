export { webinarsModule } from './module.ts';
export { webinarErrors } from './errors.ts';
export type { Branch } from './entities/segment.ts';
export { pollOf, type Interaction, type InteractionDetails, type Poll } from './entities/interaction.ts';
export { pollResults, sessionKinds, sessionStatus, sessionStatuses } from './entities/enums.ts';
export type { InteractionType, SessionStatus } from './entities/enums.ts';
export type { Session } from './entities/session.ts';
export { acceptsEvents, publicTitleOf, type Webinar } from './entities/webinar.ts';
export {
  attributionWindows,
  RegistrationFormOutput,
  RegistrationPageSettingsOutput,
} from './entities/webinar-settings.ts';
export { locale, moment } from './field-inputs.ts';

export { createWebinar, publishWebinar, updateWebinar } from './authoring/webinars.ts';
export { CreateWebinarInput } from './authoring/schemas.ts';
export { findShownIds, findWebinar, keysIn, loadWebinars, shareOpenWebinar } from './webinar/find-webinar.ts';
export { findPart, nameWebinars } from './webinar/find-webinar.ts';
export { findAttributionWindows } from './webinar/find-webinar.ts';
export type { WindowSubscriber } from './authoring/webinars.ts';
export { endOfSlug, findBySlugEnds } from './webinar/slug.ts';
export { onceAt } from './schedule/schedule.ts';
export { fromWall, toWall } from './schedule/zone.ts';

export { hasCancelledSession, publicSlots } from './session/offered-slots.ts';
export { listNearby } from './session/list-nearby.ts';
export { createSessionsRouter } from './session/router.ts';
export { sessionKind, SessionInput } from './session/schemas.ts';
export { bookSession, findSessionsAt, type Booking } from './session/book-session.ts';
export { lockFreePlaces, releasePlace, takePlaces } from './session/places.ts';
export { keepSessionsAhead } from './session/sync-sessions.ts';
export { loadSessions, plannedSessions } from './session/find-sessions.ts';
export { closingSeconds } from './entities/session.ts';
export { positionAt, statusAt } from './entities/session.ts';
export type { SessionChange, SessionSubscriber } from './session/change-session.ts';
export {
  endSessions,
  findEndingSessions,
  hasDueSession,
  findNoShowSessions,
  finishNoShows,
  lockClosingSessions,
  lockNoShowSession,
  markSessionsClosed,
  startSessions,
  type SessionKey,
} from './session/run-by-clock.ts';

export { createInteraction, findInteraction, type InteractionAddress } from './interaction/interactions.ts';
export { CreateInteractionInput, interactionType } from './interaction/schemas.ts';
export { listInteractionIds, outlineInteractions } from './interaction/load-interactions.ts';
export { loadInteractions, loadLivePolls } from './interaction/load-interactions.ts';
export { nameInteractions } from './interaction/load-interactions.ts';

export type { Graph } from './segment/graph.ts';
export { loadGraphs } from './segment/load-graphs.ts';
export { PathState, type Path, type PathSegment } from './segment/path.ts';
export { mayTake, nextBranch, pathState } from './segment/path.ts';
export { enterSegment, movesMax, startPath } from './segment/path.ts';
