import type { MigrationEntry } from '@service/database';
import { CreateInteraction } from './20261120-create-interaction.ts';
import { CreateWebinars } from './20261120-create-webinars.ts';
import { ExtendRegistrations } from './20261120-extend-registrations.ts';
import { ExtendWebinars } from './20261120-extend-webinars.ts';
import { CreateAttendance } from './20261121-create-attendance.ts';
import { CountRegistrations } from './20261122-count-registrations.ts';
import { MonthsOfEvents } from './20261122-months-of-events.ts';
import { Migration20261122190000 } from './20261122190000-check-closed-sets.ts';
import { Migration20261122235500 } from './20261122235500-sort-by-title.ts';
import { Migration20261123001000 } from './20261123001000-round-attribution-windows.ts';

// Those that create registrations, attendance and events stay here under their names: 202611221500-attendees-create moves the tables.
export const webinarMigrations: MigrationEntry[] = [
  { name: '20261120-webinars-create', class: CreateWebinars },
  { name: '20261120-webinars-create-interaction', class: CreateInteraction },
  { name: '20261120-webinars-extend-registrations', class: ExtendRegistrations },
  { name: '20261120-webinars-extend-webinars', class: ExtendWebinars },
  { name: '20261121-webinars-create-attendance', class: CreateAttendance },
  { name: '20261122-webinars-count-registrations', class: CountRegistrations },
  { name: '20261122-webinars-months-of-events', class: MonthsOfEvents },
  { name: '20261122190000-check-closed-sets', class: Migration20261122190000 },
  { name: '20261122235500-sort-by-title', class: Migration20261122235500 },
  { name: '20261123001000-round-attribution-windows', class: Migration20261123001000 },
];
