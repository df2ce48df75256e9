export { defineJob, defineTask, type CronTask, type Job, type JobContext, type JobTask } from './job.ts';
export { createJobs, type EnqueueOptions, type Jobs } from './create-jobs.ts';
export { startJobRunner, type JobRunner } from './start-job-runner.ts';
export { migrateJobs } from './migrate-jobs.ts';
export { createPatientPool } from './patient-pool.ts';
