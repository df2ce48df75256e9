// The composition root: the only place that knows all modules and wires them.
export { serviceEntities, serviceMigrations, servicePartitionedTables } from './schema.ts';
export { migrateService } from './migrate-service.ts';
export { createService, type Service, type ServiceOptions } from './create-service.ts';
export { eventCatalogue } from '@service/automations';
export { restErrorCatalogue } from './error-catalogue.ts';
export { resumeAccount, suspendAccount, type Suspension } from './suspend-account.ts';
export type { ServiceRouter } from './service-router.ts';
