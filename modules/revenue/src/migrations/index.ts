import type { MigrationEntry } from '@service/database';

export const revenueMigrations: MigrationEntry[] = [];
