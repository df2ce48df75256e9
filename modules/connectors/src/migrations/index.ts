import type { MigrationEntry } from '@service/database';
import { Migration20261123033000 } from './20261123033000-create-connectors.ts';

export const connectorMigrations: MigrationEntry[] = [
  { name: '20261123033000-create-connectors', class: Migration20261123033000 },
];
