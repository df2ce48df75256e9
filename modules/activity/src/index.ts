export { activityModule } from './module.ts';
export { activityRouter, type RetentionSettings } from './router.ts';
export { createActivityRecorder, type ActivityRecorder } from './recorder.ts';
export type { RecordedCall } from './write-calls.ts';
export { deleteCallCountsBefore } from './delete-call-counts.ts';
