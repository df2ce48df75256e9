import { defineModule } from '@service/module';
import { revenueErrors } from './errors.ts';
import { ledgerEntities } from './ledger/ledger-entities.ts';
import { revenueMigrations } from './migrations/index.ts';

export const revenueModule = defineModule({
  name: 'revenue',
  entities: [...ledgerEntities],
  migrations: revenueMigrations,
  errors: revenueErrors,
});
