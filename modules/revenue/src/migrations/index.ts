import type { MigrationEntry } from '@service/database';
import { Migration20261122235000 } from './20261122235000-create-revenue.ts';
import { Migration20261122235100 } from './20261122235100-create-revenue-sources.ts';
import { Migration20261122235300 } from './20261122235300-index-revenue.ts';
import { Migration20261123000500 } from './20261123000500-create-attribution.ts';
import { Migration20261123030000 } from './20261123030000-index-adjustments-and-retries.ts';
import { Migration20261123134300 } from './20261123134300-add-buyer-email.ts';
import { Migration20261124214500 } from './20261124214500-keep-purchase-descriptions.ts';
import { Migration20261124220100 } from './20261124220100-create-quarter-total.ts';
import { Migration20261124221000 } from './20261124221000-mark-refund-differences.ts';
import { Migration20261124222000 } from './20261124222000-add-renewals.ts';
import { Migration20261124223500 } from './20261124223500-postpone-events.ts';

export const revenueMigrations: MigrationEntry[] = [
  { name: '20261122235000-create-revenue', class: Migration20261122235000 },
  { name: '20261122235100-create-revenue-sources', class: Migration20261122235100 },
  { name: '20261122235300-index-revenue', class: Migration20261122235300 },
  { name: '20261123000500-create-attribution', class: Migration20261123000500 },
  { name: '20261123030000-index-adjustments-and-retries', class: Migration20261123030000 },
  { name: '20261123134300-add-buyer-email', class: Migration20261123134300 },
  { name: '20261124214500-keep-purchase-descriptions', class: Migration20261124214500 },
  { name: '20261124220100-create-quarter-total', class: Migration20261124220100 },
  { name: '20261124221000-mark-refund-differences', class: Migration20261124221000 },
  { name: '20261124222000-add-renewals', class: Migration20261124222000 },
  { name: '20261124223500-postpone-events', class: Migration20261124223500 },
];
