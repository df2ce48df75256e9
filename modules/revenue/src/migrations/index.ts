import type { MigrationEntry } from '@service/database';
import { Migration202611250449 } from './202611250449-create-revenue.ts';
import { migration202611261521 } from './202611261521-create-credit-decisions.ts';
import { migration202611281000 } from './202611281000-drop-suspended-accounts.ts';

export const revenueMigrations: MigrationEntry[] = [
  {
    name: '202611250449-create-revenue',
    class: Migration202611250449,
  },
  migration202611261521,
  migration202611281000,
];
