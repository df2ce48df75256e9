import type { MigrationEntry, PartitionedTable } from '@service/database';
import { CreateApiCall } from './20261120-create-api-call.ts';
import { ExtendApiCall } from './20261120-extend-api-call.ts';
import { AddKeyCreator } from './20261122-add-key-creator.ts';
import { Migration20261122190004 } from './20261122190004-check-closed-sets.ts';
import { Migration20261122214001 } from './20261122214001-add-refusal-and-sender.ts';
import { Migration20261123032000 } from './20261123032000-add-credential-kind.ts';

export const activityMigrations: MigrationEntry[] = [
  { name: '20261120-activity-create-api-call', class: CreateApiCall },
  { name: '20261120-activity-extend-api-call', class: ExtendApiCall },
  { name: '20261122-activity-add-key-creator', class: AddKeyCreator },
  { name: '20261122190004-check-closed-sets', class: Migration20261122190004 },
  { name: '20261122214001-add-refusal-and-sender', class: Migration20261122214001 },
  { name: '20261123032000-add-credential-kind', class: Migration20261123032000 },
];

export const activityPartitionedTables: PartitionedTable[] = [
  { schema: 'activity', table: 'api_call', period: 'day', retention: 'history' },
];
