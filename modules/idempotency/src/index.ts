export { KeptAnswerRow, KeptBytes } from './entities.ts';
export { idempotencyMigrations } from './migrations/index.ts';
export { createAnswers } from './answers.ts';
export { deleteExpiredAnswers } from './sweep.ts';
