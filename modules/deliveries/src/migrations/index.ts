import type { MigrationEntry, PartitionedTable } from '@service/database';
import { CreateDeliveries } from './20261120-create-deliveries.ts';
import { AddRecovery } from './20261120-recovery.ts';
import { AddRedelivery } from './20261120-redelivery.ts';
import { AddScheduling } from './20261120-scheduling.ts';
import { CreateSuspendedAccount } from './20261122-create-suspended-account.ts';

export const deliveryMigrations: MigrationEntry[] = [
  { name: '20261120-deliveries-create-deliveries', class: CreateDeliveries },
  { name: '20261120-deliveries-redelivery', class: AddRedelivery },
  { name: '20261120-deliveries-redelivery-recovery', class: AddRecovery },
  { name: '20261120-deliveries-scheduling', class: AddScheduling },
  { name: '20261122-deliveries-create-suspended-account', class: CreateSuspendedAccount },
];

export const deliveryPartitionedTables: PartitionedTable[] = [
  { schema: 'deliveries', table: 'delivery' },
  { schema: 'deliveries', table: 'attempt' },
];
