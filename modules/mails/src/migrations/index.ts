import type { MigrationEntry, PartitionedTable } from '@service/database';
import { Migration202611251955 } from './202611251955-create-mails.ts';
import { Migration202611252030 } from './202611252030-create-webinar-mails.ts';
import { Migration202611261003 } from './202611261003-add-rule-mails-and-counts.ts';
import { migration202611271002 } from './202611271002-index-suppressed-addresses.ts';

export const mailsMigrations: MigrationEntry[] = [
  { name: '202611251955-create-mails', class: Migration202611251955 },
  { name: '202611252030-create-webinar-mails', class: Migration202611252030 },
  { name: '202611261003-add-rule-mails-and-counts', class: Migration202611261003 },
  migration202611271002,
];

export const mailsPartitionedTables: PartitionedTable[] = [
  { schema: 'mails', table: 'mail', period: 'day', retention: 'history' },
];
