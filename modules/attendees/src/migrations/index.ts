import type { MigrationEntry, PartitionedTable } from '@service/database';
import { CreateAttendees } from './202611221500-create-attendees.ts';
import { RememberViews } from './202611221501-remember-views.ts';
import { Migration20261122183000 } from './20261122183000-index-downloads.ts';
import { Migration20261122190001 } from './20261122190001-check-closed-sets.ts';
import { Migration20261122212000 } from './20261122212000-index-people.ts';
import { Migration20261122235301 } from './20261122235301-filter-registrations.ts';
import { Migration20261123015000 } from './20261123015000-search-in-one-process.ts';

export const attendeeMigrations: MigrationEntry[] = [
  // With the time of the day: it must run after the migrations of webinars that create these tables.
  { name: '202611221500-attendees-create', class: CreateAttendees },
  { name: '202611221501-attendees-remember-views', class: RememberViews },
  { name: '20261122183000-index-downloads', class: Migration20261122183000 },
  { name: '20261122190001-check-closed-sets', class: Migration20261122190001 },
  { name: '20261122212000-index-people', class: Migration20261122212000 },
  { name: '20261122235301-filter-registrations', class: Migration20261122235301 },
  { name: '20261123015000-search-in-one-process', class: Migration20261123015000 },
];

export const attendeePartitionedTables: PartitionedTable[] = [
  { schema: 'attendees', table: 'attendee_event', period: 'month', retention: 'events' },
];
