import type { MigrationEntry } from '@service/database';
import { Migration20261123033000 } from './20261123033000-create-connectors.ts';
import { Migration20261123063000 } from './20261123063000-check-end-reasons.ts';

export const connectorMigrations: MigrationEntry[] = [
  { name: '20261123033000-create-connectors', class: Migration20261123033000 },
  { name: '20261123063000-check-end-reasons', class: Migration20261123063000 },
];
