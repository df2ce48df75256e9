import { defineModule } from '@service/module';
import { revenueErrors } from './errors.ts';
import { revenueMigrations } from './migrations/index.ts';

export const revenueModule = defineModule({
  name: 'revenue',
  entities: [],
  migrations: revenueMigrations,
  errors: revenueErrors,
});
