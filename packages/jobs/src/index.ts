export {
  defineJob,
  defineTask,
  type CronTask,
  type Job,
  type JobContext,
  type JobTask,
  createJobs,
  type EnqueueOptions,
  type Jobs,
} from './job.ts';
export { startJobRunner, type JobRunner, migrateJobs } from './start-job-runner.ts';
export { createPatientPool } from './patient-pool.ts';
