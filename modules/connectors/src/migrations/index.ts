import type { MigrationEntry } from '@service/database';
import { Migration202611250443 } from './202611250443-create-connectors.ts';

export const connectorMigrations: MigrationEntry[] = [
  {
    name: '202611250443-create-connectors',
    class: Migration202611250443,
  },
];
