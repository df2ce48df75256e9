import type { MigrationEntry, PartitionedTable } from '@service/database';
import { CreateApiCall } from './20261120-create-api-call.ts';

export const activityMigrations: MigrationEntry[] = [
  { name: '20261120-activity-create-api-call', class: CreateApiCall },
];

export const activityPartitionedTables: PartitionedTable[] = [{ schema: 'activity', table: 'api_call' }];
