// The composition root: the only place that knows all modules and wires them.
export {
  createDoors,
  createModuleJobs,
  createRepeats,
  modules,
  purgers,
  restErrorCatalogue,
  resumeAccount,
  sealedColumns,
  serviceCommands,
  serviceEntities,
  serviceMigrations,
  servicePartitionedTables,
  suspendAccount,
} from './modules.ts';
export type { AdminParts, SharedParts, WorkerParts } from './parts.ts';
export type { ServiceRouter } from './service-router.ts';
export { createLinks, deriveSecret } from './create-links.ts';
export { openConnections, type OpenedConnections } from './open-connections.ts';
export { openParts, type SharedOptions } from './open-parts.ts';
export { createService, type Service, type ServiceOptions } from './create-service.ts';
export { createWorkSearch, type WorkReading, type WorkSearch } from './work-search.ts';
export { migrateService } from './migrate-service.ts';
export { toolCatalogue } from './tools/catalogue.ts';
export { roomOperations } from '@service/attendees';
export { eventCatalogue } from '@service/automations';
export { defaultQuota, unansweredMax, type Quota } from '@service/deliveries';
export { protectedResource } from '@service/connectors';
export { revenueProviders } from '@service/revenue';
