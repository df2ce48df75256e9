import type { MigrationEntry, PartitionedTable } from '@service/database';
import { CreateAttendance } from './20261121-create-attendance.ts';
import { CreateInteraction } from './20261120-create-interaction.ts';
import { CreateWebinars } from './20261120-create-webinars.ts';
import { ExtendRegistrations } from './20261120-extend-registrations.ts';
import { ExtendWebinars } from './20261120-extend-webinars.ts';
import { MonthsOfEvents } from './20261122-months-of-events.ts';
import { RememberViews } from './20261122-remember-views.ts';

export const webinarMigrations: MigrationEntry[] = [
  { name: '20261120-webinars-create', class: CreateWebinars },
  { name: '20261120-webinars-create-interaction', class: CreateInteraction },
  { name: '20261120-webinars-extend-registrations', class: ExtendRegistrations },
  { name: '20261120-webinars-extend-webinars', class: ExtendWebinars },
  { name: '20261121-webinars-create-attendance', class: CreateAttendance },
  { name: '20261122-webinars-months-of-events', class: MonthsOfEvents },
  { name: '20261122-webinars-remember-views', class: RememberViews },
];

export const webinarPartitionedTables: PartitionedTable[] = [
  { schema: 'webinars', table: 'attendee_event', period: 'month', retention: 'events' },
];
