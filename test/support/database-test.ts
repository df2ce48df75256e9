// A database for each test as a fixture.
import { test as base } from 'vitest';
import { testDatabase } from './database.ts';

export const test = base
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  .extend('db', async ({}, { onCleanup }) => {
    const db = await testDatabase();
    onCleanup(() => db[Symbol.asyncDispose]());
    return db;
  })
  .extend('pool', ({ db }) => db.database.pool);
