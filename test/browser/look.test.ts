import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findHeavyPages } from '../look/find-heavy-pages.ts';
import { findPageProblems } from '../look/find-page-problems.ts';
import { lookFolder, takePictures } from '../look/take-pictures.ts';
import { launchBrowser } from '../support/browser.ts';

/** An empty file of this size is not a picture of a page. */
const pictureBytesMin = 5000;

test(
  'pages with 200 rows and names of 200 letters are pictured, and none is wider than a phone',
  {
    timeout: 240_000,
  },
  async () => {
    await using browser = await launchBrowser();
    const names = ['webinar-registrations', 'activity', 'source'];
    const pictures = await takePictures(browser, {
      rows: 200,
      looks: [{ width: 390, scheme: 'dark' }],
      names,
    });
    expect(pictures).toHaveLength(names.length);
    expect(pictures.filter(({ isTooWide }) => isTooWide)).toEqual([]);
    for (const { file } of pictures)
      expect((await stat(join(lookFolder, file))).size, file).toBeGreaterThan(pictureBytesMin);
  },
);

test(
  'axe finds nothing to object to on every eighth page, each at 1440 or 390 px and in light or dark, and none is wider than its window',
  { timeout: 600_000 },
  async () => {
    await using browser = await launchBrowser();
    expect(await findPageProblems(browser, { isWhole: false })).toEqual([]);
  },
);

test(
  'sign-in and every third list load few files, few bytes, and nothing moves',
  { timeout: 300_000 },
  async () => {
    await using browser = await launchBrowser();
    expect(await findHeavyPages(browser, { isWhole: false })).toEqual([]);
  },
);
