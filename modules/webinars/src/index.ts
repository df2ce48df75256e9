export { webinarEntities } from './entities.ts';
export { webinarMigrations, webinarPartitionedTables } from './migrations/index.ts';
export { webinarsRouter } from './webinars-router.ts';
export { createRegistrationsRouter } from './registrations-router.ts';
export { createWebinar } from './create-webinar.ts';
export { publishWebinar } from './publish-webinar.ts';
export { findWebinar } from './find-webinar.ts';
export type { AttendeeEvent, OnAttendeeEvent } from './attendee-event.ts';
export { webinarErrors } from './errors.ts';
