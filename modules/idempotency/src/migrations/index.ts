import type { MigrationEntry } from '@service/database';
import { CreateKeptAnswer } from './20261120-create-kept-answer.ts';

export const idempotencyMigrations: MigrationEntry[] = [
  { name: '20261120-idempotency-create-kept-answer', class: CreateKeptAnswer },
];
