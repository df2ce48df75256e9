import type { MigrationEntry, PartitionedTable } from '@service/database';
import { Migration202611250447 } from './202611250447-create-automations.ts';
import { Migration202611252340 } from './202611252340-mails-of-rules.ts';

export const automationMigrations: MigrationEntry[] = [
  {
    name: '202611250447-create-automations',
    class: Migration202611250447,
    replaces: '20261124220501-mark-rules-about-revenue',
  },
  { name: '202611252340-mails-of-rules', class: Migration202611252340 },
];

export const automationPartitionedTables: PartitionedTable[] = [
  { schema: 'automations', table: 'execution', period: 'day', retention: 'history' },
];
