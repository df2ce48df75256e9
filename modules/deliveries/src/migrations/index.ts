import type { MigrationEntry, PartitionedTable } from '@service/database';
import { CreateDeliveries } from './20261120-create-deliveries.ts';

export const deliveryMigrations: MigrationEntry[] = [
  { name: '20261120-deliveries-create-deliveries', class: CreateDeliveries },
];

export const deliveryPartitionedTables: PartitionedTable[] = [
  { schema: 'deliveries', table: 'delivery' },
  { schema: 'deliveries', table: 'attempt' },
];
