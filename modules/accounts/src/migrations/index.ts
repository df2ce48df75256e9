import type { MigrationEntry } from '@service/database';
import { CreateAccounts } from './20261120-accounts-create.ts';
import { CreateCallWindows } from './20261122-accounts-create-call-windows.ts';
import { CreateSuspension } from './20261122-create-suspension.ts';
import { Migration20261124220000 } from './20261124220000-create-setting.ts';
import { LimitSignIn } from './20261122-limit-sign-in.ts';

export const accountMigrations: MigrationEntry[] = [
  { name: '20261120-accounts-create', class: CreateAccounts },
  { name: '20261122-limit-sign-in', class: LimitSignIn },
  { name: '20261122-accounts-create-call-windows', class: CreateCallWindows },
  { name: '20261122-accounts-create-suspension', class: CreateSuspension },
  { name: '20261124220000-create-setting', class: Migration20261124220000 },
];
