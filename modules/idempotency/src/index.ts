export { KeptAnswerRow } from './kept-answer.ts';
export { KeptBytes } from './kept-bytes.ts';
export { idempotencyMigrations } from './migrations/index.ts';
export { createAnswers } from './answers.ts';
export { deleteExpiredAnswers } from './sweep.ts';
