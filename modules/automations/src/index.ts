export { automationEntities } from './entities.ts';
export { automationMigrations, automationPartitionedTables } from './migrations/index.ts';
export { createAutomationsRouter } from './automations-router.ts';
export { createWebhooksRouter } from './webhooks-router.ts';
export type { DestinationPolicy } from './require-destination.ts';
export { createEventFollower } from './follow-event.ts';
export { automationErrors } from './errors.ts';
