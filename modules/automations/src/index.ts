export { automationEntities } from './entities.ts';
export { automationMigrations, automationPartitionedTables } from './migrations/index.ts';
export { createAutomationsRouter } from './automations-router.ts';
export { createWebhooksRouter } from './subscription/router.ts';
export type { DestinationPolicy } from './destination.ts';
export { createEventFollower } from './execution/follow-events.ts';
export { eventCatalogue, type EventCatalogueEntry } from './event/event-catalogue.ts';
export { automationErrors } from './errors.ts';
