import type { MigrationEntry } from '@service/database';
import { Migration202611250445 } from './202611250445-create-webinars.ts';

export const webinarMigrations: MigrationEntry[] = [
  {
    name: '202611250445-create-webinars',
    class: Migration202611250445,
    replaces: '20261123001000-round-attribution-windows',
  },
];
