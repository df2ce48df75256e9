import type { MigrationEntry, PartitionedTable } from '@service/database';
import { CreateDeliveries } from './20261120-create-deliveries.ts';
import { AddRedelivery } from './20261120-redelivery.ts';

export const deliveryMigrations: MigrationEntry[] = [
  { name: '20261120-deliveries-create-deliveries', class: CreateDeliveries },
  { name: '20261120-deliveries-redelivery', class: AddRedelivery },
];

export const deliveryPartitionedTables: PartitionedTable[] = [
  { schema: 'deliveries', table: 'delivery' },
  { schema: 'deliveries', table: 'attempt' },
];
