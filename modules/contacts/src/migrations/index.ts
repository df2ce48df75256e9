import type { MigrationEntry, PartitionedTable } from '@service/database';
import { Migration202611261000 } from './202611261000-create-contacts.ts';
import { Migration202611261006 } from './202611261006-add-erasures.ts';

export const contactsMigrations: MigrationEntry[] = [
  { name: '202611261000-create-contacts', class: Migration202611261000 },
  { name: '202611261006-add-erasures', class: Migration202611261006 },
];

export const contactsPartitionedTables: PartitionedTable[] = [
  { schema: 'contacts', table: 'send', period: 'day', retention: 'history' },
  { schema: 'contacts', table: 'send_values', period: 'day', retention: 'week' },
];
