import type { MigrationEntry, PartitionedTable } from '@service/database';
import { Migration202611261000 } from './202611261000-create-contacts.ts';
import { Migration202611261006 } from './202611261006-add-erasures.ts';
import { Migration202611261011 } from './202611261011-count-people-left-out.ts';
import { Migration202611261012 } from './202611261012-create-import-jobs.ts';
import { Migration202611261020 } from './202611261020-add-outcome-index.ts';

export const contactsMigrations: MigrationEntry[] = [
  { name: '202611261000-create-contacts', class: Migration202611261000 },
  { name: '202611261006-add-erasures', class: Migration202611261006 },
  { name: '202611261011-count-people-left-out', class: Migration202611261011 },
  { name: '202611261012-create-import-jobs', class: Migration202611261012 },
  { name: '202611261020-add-outcome-index', class: Migration202611261020 },
];

export const contactsPartitionedTables: PartitionedTable[] = [
  { schema: 'contacts', table: 'send', period: 'day', retention: 'history' },
  { schema: 'contacts', table: 'send_values', period: 'day', retention: 'week' },
];
