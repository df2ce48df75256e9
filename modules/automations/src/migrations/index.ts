import type { MigrationEntry, PartitionedTable } from '@service/database';
import { CreateAutomations } from './20261120-create-automations.ts';
import { AddRuleConditions } from './20261120-rules-over-the-api.ts';
import { FireOnce } from './20261121-fire-once.ts';
import { Migration20261122183001 } from './20261122183001-trigger-downloads.ts';
import { Migration20261122190002 } from './20261122190002-check-closed-sets.ts';
import { Migration20261122213002 } from './20261122213002-describe-subscription.ts';
import { Migration20261124220501 } from './20261124220501-mark-rules-about-revenue.ts';

export const automationMigrations: MigrationEntry[] = [
  { name: '20261120-automations-create', class: CreateAutomations },
  { name: '20261120-automations-rules-over-the-api', class: AddRuleConditions },
  { name: '20261121-automations-fire-once', class: FireOnce },
  { name: '20261122183001-trigger-downloads', class: Migration20261122183001 },
  { name: '20261122190002-check-closed-sets', class: Migration20261122190002 },
  { name: '20261122213002-describe-subscription', class: Migration20261122213002 },
  { name: '20261124220501-mark-rules-about-revenue', class: Migration20261124220501 },
];

export const automationPartitionedTables: PartitionedTable[] = [
  { schema: 'automations', table: 'execution', period: 'day', retention: 'history' },
];
