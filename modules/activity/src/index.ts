export { activityEntities } from './entities.ts';
export { activityMigrations, activityPartitionedTables } from './migrations/index.ts';
export { activityRouter } from './router.ts';
export { createRetentionRouter, type RetentionSettings } from './retention-router.ts';
export { createActivityRecorder, type ActivityRecorder, type RecordedCall } from './recorder.ts';
export { deleteCallCountsBefore } from './delete-call-counts.ts';
