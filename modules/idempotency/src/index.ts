export { idempotencyModule } from './module.ts';
export { createAnswers } from './answers.ts';
export { deleteExpiredAnswers } from './sweep.ts';
