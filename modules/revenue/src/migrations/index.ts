import type { MigrationEntry } from '@service/database';
import { Migration20261122235000 } from './20261122235000-create-revenue.ts';

export const revenueMigrations: MigrationEntry[] = [
  { name: '20261122235000-create-revenue', class: Migration20261122235000 },
];
