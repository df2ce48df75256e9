import type { MigrationEntry, PartitionedTable } from '@service/database';
import { CreateWebinars } from './20261120-create-webinars.ts';

export const webinarMigrations: MigrationEntry[] = [
  { name: '20261120-webinars-create', class: CreateWebinars },
];

export const webinarPartitionedTables: PartitionedTable[] = [{ schema: 'webinars', table: 'attendee_event' }];
