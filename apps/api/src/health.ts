import { serviceMigrations } from '@service/composition';
import { pendingMigrations, type Database } from '@service/database';
import type { CheckOperator, DescriptorWatch } from '@service/lifecycle';
import { Router } from 'express';

/**
 * `/healthz`: the process runs. `/readyz`: the database answers, its migrations are current, and this process has free descriptors.
 * Both are public; only operators see why a process is not ready.
 */
export function createHealth(
  database: Database,
  checkOperator: CheckOperator,
  descriptors: Pick<DescriptorWatch, 'isNearlyUsedUp'>,
): Router {
  const router = Router({ caseSensitive: true });
  let current = false;

  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (request, response) => {
    const refuse = (reason: { status: string; pending?: string[] }): void => {
      response.status(503).json(checkOperator(request) === 'granted' ? reason : { status: 'not ready' });
    };
    if (descriptors.isNearlyUsedUp()) return refuse({ status: 'descriptors nearly used up' });
    try {
      if (!current) {
        const pending = await pendingMigrations(database.pool, serviceMigrations);
        if (pending.length > 0) {
          return refuse({ status: 'migrations pending', pending });
        }
        current = true;
      }
      await database.pool.query('select 1');
      response.json({ status: 'ok' });
    } catch {
      refuse({ status: 'database unreachable' });
    }
  });
  return router;
}
