import type { MigrationEntry } from '@service/database';
import { CreateAccounts } from './20261120-accounts-create.ts';
import { CreateSuspension } from './20261122-create-suspension.ts';

export const accountMigrations: MigrationEntry[] = [
  { name: '20261120-accounts-create', class: CreateAccounts },
  { name: '20261122-accounts-create-suspension', class: CreateSuspension },
];
