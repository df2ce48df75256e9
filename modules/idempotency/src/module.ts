import type { Database } from '@service/database';
import { defineModule } from '@service/module';
import { createAnswerEraser, KeptAnswerRow, KeptBytes, deleteExpiredAnswers } from './answers.ts';
import { idempotencyMigrations } from './migrations/index.ts';

interface WorkerParts {
  database: Pick<Database, 'pool'>;
  idempotencyWindowHours: number;
}

export const idempotencyModule = defineModule({
  name: 'idempotency',
  entities: [KeptAnswerRow, KeptBytes],
  migrations: idempotencyMigrations,
  sealed: [
    {
      table: 'idempotency.kept_answer',
      column: 'sealed',
      type: 'bytea',
      key: ['account_id', 'key'],
      context: ['account_id', 'key'],
    },
  ],
  subscribers: { erasure: createAnswerEraser },
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
