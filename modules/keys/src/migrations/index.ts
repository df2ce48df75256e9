import type { MigrationEntry } from '@service/database';
import { CreateApiKey } from './20261120-create-api-key.ts';
import { CreateRateWindow } from './20261120-create-rate-window.ts';

export const keyMigrations: MigrationEntry[] = [
  { name: '20261120-keys-create-api-key', class: CreateApiKey },
  { name: '20261120-keys-create-rate-window', class: CreateRateWindow },
];
