import type { MigrationEntry } from '@service/database';
import { Migration202611251930 } from './202611251930-create-connections.ts';

export const connectionMigrations: MigrationEntry[] = [
  { name: '202611251930-create-connections', class: Migration202611251930 },
];
