// The fixtures of a service, and a page in a context of its own.
import { launchBrowser } from './browser.ts';
import { test as serviceTest } from './service-test.ts';

export const test = serviceTest
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  .extend('browser', async ({}, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser[Symbol.asyncDispose]());
    return browser;
  })
  .extend('page', ({ browser }) => browser.newPage());
