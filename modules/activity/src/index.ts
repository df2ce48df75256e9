export { ApiCall } from './api-call.ts';
export { activityMigrations, activityPartitionedTables } from './migrations/index.ts';
export { activityRouter } from './router.ts';
export { createActivityRecorder, type ActivityRecorder, type RecordedCall } from './recorder.ts';
