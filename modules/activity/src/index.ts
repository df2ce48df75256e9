export { activityEntities } from './entities.ts';
export { activityMigrations, activityPartitionedTables } from './migrations/index.ts';
export { activityRouter, createRetentionRouter, type RetentionSettings } from './router.ts';
export { createActivityRecorder, type ActivityRecorder } from './recorder.ts';
export { deleteCallCountsBefore } from './delete-call-counts.ts';
