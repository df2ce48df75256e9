export {
  createJobs,
  defineJob,
  defineTask,
  type CronTask,
  type EnqueueOptions,
  type Job,
  type JobContext,
  type Jobs,
  type JobTask,
} from './job.ts';
export { jobConditions, migrateJobs, startJobRunner, type JobRunner } from './start-job-runner.ts';
export { createPatientPool } from './patient-pool.ts';
