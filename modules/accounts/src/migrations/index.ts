import type { MigrationEntry } from '@service/database';
import { CreateAccounts } from './20261120-accounts-create.ts';
import { CreateCallWindows } from './20261122-accounts-create-call-windows.ts';

export const accountMigrations: MigrationEntry[] = [
  { name: '20261120-accounts-create', class: CreateAccounts },
  { name: '20261122-accounts-create-call-windows', class: CreateCallWindows },
];
