import type { MigrationEntry, PartitionedTable } from '@service/database';
import { Migration202611250450 } from './202611250450-create-activity.ts';
import { migration202611261522 } from './202611261522-keep-messages-of-refused-fields.ts';

export const activityMigrations: MigrationEntry[] = [
  {
    name: '202611250450-create-activity',
    class: Migration202611250450,
  },
  migration202611261522,
];

export const activityPartitionedTables: PartitionedTable[] = [
  { schema: 'activity', table: 'api_call', period: 'day', retention: 'history' },
];
