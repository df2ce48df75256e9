import type { MigrationEntry, PartitionedTable } from '@service/database';
import { CreateDeliveries } from './20261120-create-deliveries.ts';
import { AddRecovery } from './20261120-recovery.ts';
import { AddRedelivery } from './20261120-redelivery.ts';
import { AddScheduling } from './20261120-scheduling.ts';
import { CreateSuspendedAccount } from './20261122-create-suspended-account.ts';
import { Migration20261122190003 } from './20261122190003-check-closed-sets.ts';
import { Migration20261122213001 } from './20261122213001-send-waiting.ts';
import { Migration20261122220501 } from './20261122220501-add-response-headers.ts';
import { Migration20261122235501 } from './20261122235501-stop-flush.ts';
import { Migration20261122235502 } from './20261122235502-check-flush-states.ts';
import { Migration20261123032500 } from './20261123032500-count-deliveries.ts';
import { Migration20261123141600 } from './20261123141600-cancel-in-steps.ts';
import { Migration20261124190001 } from './20261124190001-share-bodies.ts';
import { Migration20261124190002 } from './20261124190002-limit-disk-space.ts';
import { Migration20261124190003 } from './20261124190003-check-failures.ts';
import { Migration20261124220001 } from './20261124220001-halt-endpoints.ts';

export const deliveryMigrations: MigrationEntry[] = [
  { name: '20261120-deliveries-create-deliveries', class: CreateDeliveries },
  { name: '20261120-deliveries-redelivery', class: AddRedelivery },
  { name: '20261120-deliveries-redelivery-recovery', class: AddRecovery },
  { name: '20261120-deliveries-scheduling', class: AddScheduling },
  { name: '20261122-deliveries-create-suspended-account', class: CreateSuspendedAccount },
  { name: '20261122190003-check-closed-sets', class: Migration20261122190003 },
  { name: '20261122213001-send-waiting', class: Migration20261122213001 },
  { name: '20261122220501-add-response-headers', class: Migration20261122220501 },
  { name: '20261122235501-stop-flush', class: Migration20261122235501 },
  { name: '20261122235502-check-flush-states', class: Migration20261122235502 },
  { name: '20261123032500-count-deliveries', class: Migration20261123032500 },
  { name: '20261123141600-cancel-in-steps', class: Migration20261123141600 },
  { name: '20261124190001-share-bodies', class: Migration20261124190001 },
  { name: '20261124190002-limit-disk-space', class: Migration20261124190002 },
  { name: '20261124190003-check-failures', class: Migration20261124190003 },
  { name: '20261124220001-halt-endpoints', class: Migration20261124220001 },
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
  // After the deliveries, which cannot be shown without it.
  { ...history, table: 'body' },
];
