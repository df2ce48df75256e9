// The world of a test as fixtures: all tests of a file share a service, and each has a workspace of its own.
import { test as base } from 'vitest';
import { createTestAccount, createTestWorld, testApi } from './api.ts';

export const test = base
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  .extend('service', { scope: 'file' }, async ({}, { onCleanup }) => {
    const service = await testApi();
    onCleanup(() => service[Symbol.asyncDispose]());
    return service;
  })
  .extend('account', async ({ service }) => {
    // All tests of a file sign in from one address, which may do so ten times a minute.
    await service.db.database.pool.query('delete from accounts.sign_in_attempt');
    return createTestAccount(service);
  })
  /** The workspace of `account`, with a key and a published webinar. */
  .extend('world', ({ service, account }) => createTestWorld(service, account));
