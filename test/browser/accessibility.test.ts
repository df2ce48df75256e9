import { expect, test } from 'vitest';
import { findPageProblems } from '../look/find-page-problems.ts';
import { launchBrowser } from '../support/browser.ts';

test(
  'axe finds nothing to object to on any page, 1440 and 390 px wide, in light and in dark, and no page is wider than its window',
  { timeout: 600_000 },
  async () => {
    await using browser = await launchBrowser();
    expect(await findPageProblems(browser, { combinations: 2 })).toEqual([]);
  },
);
