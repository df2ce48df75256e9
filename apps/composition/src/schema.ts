import { accountMigrations } from '@service/accounts';
import { activityEntities, activityMigrations, activityPartitionedTables } from '@service/activity';
import { attendeeEntities, attendeeMigrations, attendeePartitionedTables } from '@service/attendees';
import { automationEntities, automationMigrations, automationPartitionedTables } from '@service/automations';
import type { MigrationEntry, PartitionedTable } from '@service/database';
import { deliveryEntities, deliveryMigrations, deliveryPartitionedTables } from '@service/deliveries';
import { idempotencyMigrations, KeptAnswerRow, KeptBytes } from '@service/idempotency';
import { keyEntities, keyMigrations } from '@service/keys';
import { webinarEntities, webinarMigrations } from '@service/webinars';

export const serviceEntities = [
  ...keyEntities,
  KeptAnswerRow,
  KeptBytes,
  ...activityEntities,
  ...webinarEntities,
  ...attendeeEntities,
  ...automationEntities,
  ...deliveryEntities,
];

export const serviceMigrations: MigrationEntry[] = [
  ...accountMigrations,
  ...keyMigrations,
  ...idempotencyMigrations,
  ...webinarMigrations,
  ...attendeeMigrations,
  ...automationMigrations,
  ...deliveryMigrations,
  ...activityMigrations,
];

export const servicePartitionedTables: PartitionedTable[] = [
  ...attendeePartitionedTables,
  ...automationPartitionedTables,
  ...deliveryPartitionedTables,
  ...activityPartitionedTables,
];
