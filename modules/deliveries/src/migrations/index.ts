import type { MigrationEntry, PartitionedTable } from '@service/database';
import { Migration202611250448 } from './202611250448-create-deliveries.ts';
import { migration202611261520 } from './202611261520-add-untried-endpoints.ts';
import { migration202611261544 } from './202611261544-index-endpoints-by-account.ts';
import { migration202611261570 } from './202611261570-add-trace.ts';

export const deliveryMigrations: MigrationEntry[] = [
  {
    name: '202611250448-create-deliveries',
    class: Migration202611250448,
  },
  migration202611261520,
  migration202611261544,
  migration202611261570,
];

const history = {
  schema: 'deliveries',
  period: 'day',
  retention: 'history',
  // A delivery that waits has to be there when its turn comes, however long its endpoint was paused.
  usedBy: { table: 'deliveries.due', column: 'delivery_id' },
} as const;

export const deliveryPartitionedTables: PartitionedTable[] = [
  { ...history, table: 'delivery' },
  { ...history, table: 'attempt' },
  { ...history, table: 'delivery_count' },
  { ...history, table: 'body', retention: 'bodies' },
];
