import { defineModule } from '@service/module';
import { revenueErrors } from './errors.ts';
import { ledgerEntities } from './ledger/ledger-entities.ts';
import { revenueMigrations } from './migrations/index.ts';
import { DailyTotal } from './report/entities/daily-total.ts';
import { createExportDoor, type ExportParts } from './report/export/export-door.ts';
import { revenueRouter } from './report/router.ts';

export const revenueModule = defineModule({
  name: 'revenue',
  entities: [...ledgerEntities, DailyTotal],
  migrations: revenueMigrations,
  errors: revenueErrors,
  router: () => ({ revenue: revenueRouter }),
  http: (parts: ExportParts) => createExportDoor(parts),
});
