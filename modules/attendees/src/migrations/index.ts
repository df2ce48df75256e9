import type { MigrationEntry, PartitionedTable } from '@service/database';
import { Migration202611250446 } from './202611250446-create-attendees.ts';
import { Migration202611252335 } from './202611252335-add-consent.ts';
import { Migration202611252341 } from './202611252341-add-rooms.ts';
import { Migration202611261004 } from './202611261004-add-replay-path.ts';
import { migration202611261005 } from './202611261005-add-erasures.ts';
import { migration202611261100 } from './202611261100-add-erasure-address-index.ts';
import { migration202611261580 } from './202611261580-create-response-counts.ts';
import { migration202611261581 } from './202611261581-add-status-to-session-index.ts';
import { migration202611271001 } from './202611271001-count-statuses-of-sessions.ts';

export const attendeeMigrations: MigrationEntry[] = [
  {
    name: '202611250446-create-attendees',
    class: Migration202611250446,
  },
  { name: '202611252335-add-consent', class: Migration202611252335 },
  { name: '202611252341-add-rooms', class: Migration202611252341 },
  { name: '202611261004-add-replay-path', class: Migration202611261004 },
  migration202611261005,
  migration202611261100,
  migration202611261580,
  migration202611261581,
  migration202611271001,
];

export const attendeePartitionedTables: PartitionedTable[] = [
  { schema: 'attendees', table: 'attendee_event', period: 'month', retention: 'events' },
];
