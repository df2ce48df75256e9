export { idempotencyModule } from './module.ts';
export { createAnswers, deleteExpiredAnswers } from './answers.ts';
