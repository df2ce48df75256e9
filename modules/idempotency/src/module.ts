import type { Database } from '@service/database';
import { defineModule } from '@service/module';
import { KeptAnswerRow, KeptBytes } from './entities.ts';
import { idempotencyMigrations } from './migrations/index.ts';
import { deleteExpiredAnswers } from './sweep.ts';

interface WorkerParts {
  database: Pick<Database, 'pool'>;
  idempotencyWindowHours: number;
}

export const idempotencyModule = defineModule({
  name: 'idempotency',
  entities: [KeptAnswerRow, KeptBytes],
  migrations: idempotencyMigrations,
  jobs: ({ database, idempotencyWindowHours }: WorkerParts) => ({
    crons: [
      {
        name: 'idempotency.delete_expired_answers',
        pattern: '13 * * * *',
        async run(now, { log }) {
          const options = { now, windowHours: idempotencyWindowHours };
          const deleted = await deleteExpiredAnswers(database.pool, options);
          log.info({ deleted }, 'Expired idempotency answers are deleted');
        },
      },
    ],
  }),
});
