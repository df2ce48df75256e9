import { accountMigrations } from '@service/accounts';
import { activityEntities, activityMigrations, activityPartitionedTables } from '@service/activity';
import { automationEntities, automationMigrations, automationPartitionedTables } from '@service/automations';
import type { MigrationEntry, PartitionedTable } from '@service/database';
import { deliveryEntities, deliveryMigrations, deliveryPartitionedTables } from '@service/deliveries';
import { idempotencyMigrations, KeptAnswerRow, KeptBytes } from '@service/idempotency';
import { keyEntities, keyMigrations } from '@service/keys';
import { webinarEntities, webinarMigrations, webinarPartitionedTables } from '@service/webinars';

export const serviceEntities = [
  ...keyEntities,
  KeptAnswerRow,
  KeptBytes,
  ...activityEntities,
  ...webinarEntities,
  ...automationEntities,
  ...deliveryEntities,
];

export const serviceMigrations: MigrationEntry[] = [
  ...accountMigrations,
  ...keyMigrations,
  ...idempotencyMigrations,
  ...webinarMigrations,
  ...automationMigrations,
  ...deliveryMigrations,
  ...activityMigrations,
];

export const servicePartitionedTables: PartitionedTable[] = [
  ...webinarPartitionedTables,
  ...automationPartitionedTables,
  ...deliveryPartitionedTables,
  ...activityPartitionedTables,
];
