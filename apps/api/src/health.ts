import { serviceMigrations } from '@service/composition';
import { pendingMigrations, type Database } from '@service/database';
import { Router } from 'express';

/** `/healthz`: the process lives. `/readyz`: the database answers and its migrations are current. */
export function createHealth(database: Database): Router {
  const router = Router({ caseSensitive: true });
  let current = false;

  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    try {
      if (!current) {
        const pending = await pendingMigrations(database.pool, serviceMigrations);
        if (pending.length > 0) {
          response.status(503).json({ status: 'migrations pending', pending });
          return;
        }
        current = true;
      }
      await database.pool.query('select 1');
      response.json({ status: 'ok' });
    } catch {
      response.status(503).json({ status: 'database unreachable' });
    }
  });
  return router;
}
