import type { MigrationEntry } from '@service/database';
import { Migration202611251930 } from './202611251930-create-connections.ts';
import { Migration202611261002 } from './202611261002-add-marketing-connections.ts';
import { migration202611261010 } from './202611261010-add-field-types.ts';
import { migration202611261021 } from './202611261021-add-kind-of-changes.ts';

export const connectionMigrations: MigrationEntry[] = [
  { name: '202611251930-create-connections', class: Migration202611251930 },
  { name: '202611261002-add-marketing-connections', class: Migration202611261002 },
  migration202611261010,
  migration202611261021,
];
