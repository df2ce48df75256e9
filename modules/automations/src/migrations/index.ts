import type { MigrationEntry, PartitionedTable } from '@service/database';
import { CreateAutomations } from './20261120-create-automations.ts';

export const automationMigrations: MigrationEntry[] = [
  { name: '20261120-automations-create', class: CreateAutomations },
];

export const automationPartitionedTables: PartitionedTable[] = [
  { schema: 'automations', table: 'execution' },
];
