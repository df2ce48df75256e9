import type { MigrationEntry, PartitionedTable } from '@service/database';
import { Migration202611261000 } from './202611261000-create-contacts.ts';
import { migration202611261006 } from './202611261006-add-erasures.ts';
import { migration202611261011 } from './202611261011-count-people-left-out.ts';
import { migration202611261012 } from './202611261012-create-import-jobs.ts';
import { migration202611261020 } from './202611261020-add-outcome-index.ts';
import { migration202611261120 } from './202611261120-index-due-imports.ts';

export const contactsMigrations: MigrationEntry[] = [
  { name: '202611261000-create-contacts', class: Migration202611261000 },
  migration202611261006,
  migration202611261011,
  migration202611261012,
  migration202611261020,
  migration202611261120,
];

export const contactsPartitionedTables: PartitionedTable[] = [
  { schema: 'contacts', table: 'send', period: 'day', retention: 'history' },
  { schema: 'contacts', table: 'send_values', period: 'day', retention: 'week' },
];
