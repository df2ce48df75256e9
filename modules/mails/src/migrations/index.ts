import type { MigrationEntry, PartitionedTable } from '@service/database';
import { Migration202611251955 } from './202611251955-create-mails.ts';
import { Migration202611252030 } from './202611252030-create-webinar-mails.ts';

export const mailsMigrations: MigrationEntry[] = [
  { name: '202611251955-create-mails', class: Migration202611251955 },
  { name: '202611252030-create-webinar-mails', class: Migration202611252030 },
];

export const mailsPartitionedTables: PartitionedTable[] = [
  { schema: 'mails', table: 'mail', period: 'day', retention: 'history' },
];
