export { activityModule } from './module.ts';
export { activityRouter, type RetentionSettings } from './router.ts';
export { createActivityRecorder, type ActivityRecorder } from './recorder.ts';
export { deleteCallCountsBefore } from './write-calls.ts';
