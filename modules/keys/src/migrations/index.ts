import type { MigrationEntry } from '@service/database';
import { CreateApiKey } from './20261120-create-api-key.ts';
import { CreateRateWindow } from './20261120-create-rate-window.ts';
import { AddCreator } from './20261122-add-creator.ts';
import { CreateSuspendedAccount } from './20261122-create-suspended-account.ts';
import { Migration20261122184000 } from './20261122184000-store-key-presets.ts';
import { Migration20261123031500 } from './20261123031500-create-access-token.ts';

export const keyMigrations: MigrationEntry[] = [
  { name: '20261120-keys-create-api-key', class: CreateApiKey },
  { name: '20261120-keys-create-rate-window', class: CreateRateWindow },
  { name: '20261122-keys-add-creator', class: AddCreator },
  { name: '20261122-keys-create-suspended-account', class: CreateSuspendedAccount },
  { name: '20261122184000-store-key-presets', class: Migration20261122184000 },
  { name: '20261123031500-create-access-token', class: Migration20261123031500 },
];
