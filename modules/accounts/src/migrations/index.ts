import type { MigrationEntry, PartitionedTable } from '@service/database';
import { Migration202611250441 } from './202611250441-create-accounts.ts';
import { Migration202611252012 } from './202611252012-create-mail-links.ts';
import { Migration202611252340 } from './202611252340-add-branding.ts';
import { migration202611261541 } from './202611261541-create-member-changes.ts';
import { migration202611261542 } from './202611261542-create-two-factor.ts';
import { migration202611261543 } from './202611261543-create-deleted-workspaces.ts';
import { migration202611261545 } from './202611261545-create-notification-settings.ts';
import { migration202611261801 } from './202611261801-add-mailed-until.ts';
import { migration202611261840 } from './202611261840-add-weekly-mails.ts';

export const accountMigrations: MigrationEntry[] = [
  {
    name: '202611250441-create-accounts',
    class: Migration202611250441,
  },
  { name: '202611252012-create-mail-links', class: Migration202611252012 },
  { name: '202611252340-add-branding', class: Migration202611252340 },
  migration202611261541,
  migration202611261542,
  migration202611261543,
  migration202611261545,
  migration202611261801,
  migration202611261840,
];

export const accountPartitionedTables: PartitionedTable[] = [
  { schema: 'accounts', table: 'member_change', period: 'day', retention: 'history' },
];
