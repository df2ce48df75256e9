import type { MigrationEntry } from '@service/database';
import { CreateKeptAnswer } from './20261120-create-kept-answer.ts';
import { CountKeptBytes } from './20261122-count-kept-bytes.ts';

export const idempotencyMigrations: MigrationEntry[] = [
  { name: '20261120-idempotency-create-kept-answer', class: CreateKeptAnswer },
  { name: '20261122-idempotency-count-kept-bytes', class: CountKeptBytes },
];
