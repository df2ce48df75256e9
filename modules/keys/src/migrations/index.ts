import type { MigrationEntry } from '@service/database';
import { Migration202611250442 } from './202611250442-create-keys.ts';
import { migration202611261540 } from './202611261540-add-key-expiry.ts';

export const keyMigrations: MigrationEntry[] = [
  {
    name: '202611250442-create-keys',
    class: Migration202611250442,
  },
  migration202611261540,
];
