import { defineModule } from '@service/module';
import { activityEntities } from './api-call.ts';
import { activityMigrations, activityPartitionedTables } from './migrations/index.ts';
import { eraseCalls } from './write-calls.ts';
import { activityRouter, createRetentionRouter, type RetentionSettings } from './router.ts';

export const activityModule = defineModule({
  name: 'activity',
  entities: activityEntities,
  migrations: activityMigrations,
  partitions: activityPartitionedTables,
  subscribers: { erasure: () => eraseCalls },
  router: ({ retention }: { retention: RetentionSettings }) => ({
    activity: activityRouter,
    retention: createRetentionRouter(retention),
  }),
});
