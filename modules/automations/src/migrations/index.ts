import type { MigrationEntry, PartitionedTable } from '@service/database';
import { Migration202611250447 } from './202611250447-create-automations.ts';
import { Migration202611252342 } from './202611252342-add-rule-mails.ts';
import { Migration202611261001 } from './202611261001-add-rule-integrations.ts';
import { migration202611261841 } from './202611261841-add-updated-at-of-subscriptions.ts';

export const automationMigrations: MigrationEntry[] = [
  {
    name: '202611250447-create-automations',
    class: Migration202611250447,
  },
  { name: '202611252342-add-rule-mails', class: Migration202611252342 },
  { name: '202611261001-add-rule-integrations', class: Migration202611261001 },
  migration202611261841,
];

export const automationPartitionedTables: PartitionedTable[] = [
  { schema: 'automations', table: 'execution', period: 'day', retention: 'history' },
];
