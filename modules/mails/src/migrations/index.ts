import type { MigrationEntry } from '@service/database';
import { Migration202611251955 } from './202611251955-create-mails.ts';

export const mailsMigrations: MigrationEntry[] = [
  { name: '202611251955-create-mails', class: Migration202611251955 },
];
