import type { MigrationEntry } from '@service/database';
import { CreateAccounts } from './20261120-accounts-create.ts';

export const accountMigrations: MigrationEntry[] = [
  { name: '20261120-accounts-create', class: CreateAccounts },
];
