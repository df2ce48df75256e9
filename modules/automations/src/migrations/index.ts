import type { MigrationEntry, PartitionedTable } from '@service/database';
import { Migration202611250447 } from './202611250447-create-automations.ts';

export const automationMigrations: MigrationEntry[] = [
  {
    name: '202611250447-create-automations',
    class: Migration202611250447,
    replaces: '20261124220501-mark-rules-about-revenue',
  },
];

export const automationPartitionedTables: PartitionedTable[] = [
  { schema: 'automations', table: 'execution', period: 'day', retention: 'history' },
];
