import type { MigrationEntry } from '@service/database';
import { Migration202611250444 } from './202611250444-create-idempotency.ts';

export const idempotencyMigrations: MigrationEntry[] = [
  {
    name: '202611250444-create-idempotency',
    class: Migration202611250444,
  },
];
