import { expect, test } from 'vitest';
import { findPageProblems } from '../look/find-page-problems.ts';
import { launchBrowser } from '../support/browser.ts';

test(
  'axe finds nothing to object to on every eighth page, each at 1440 or 390 px and in light or dark, and none is wider than its window',
  { timeout: 600_000 },
  async () => {
    await using browser = await launchBrowser();
    expect(await findPageProblems(browser, { isWhole: false })).toEqual([]);
  },
);
