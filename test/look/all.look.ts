import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { findBusyTabs } from './find-busy-tabs.ts';
import { findHeavyPages } from './find-heavy-pages.ts';
import { findPageProblems } from './find-page-problems.ts';
import { looks } from './open-page.ts';
import { takePictures, writeContactSheet, type Picture } from './take-pictures.ts';
import type { LookRows } from './world.ts';

const names = (process.env['LOOK_PAGES'] ?? '').split(' ').filter(Boolean);
const pictures: Picture[] = [];

test.each<LookRows>([0, 1, 1000])('pictures with %i rows', { timeout: 1_800_000 }, async (rows) => {
  await using browser = await launchBrowser();
  pictures.push(...(await takePictures(browser, { rows, looks, names })));
});

test(
  'axe finds nothing to object to on these pages at two widths, nor to their colours in the other scheme',
  { timeout: 1_800_000 },
  async () => {
    await using browser = await launchBrowser();
    expect(await findPageProblems(browser, { isWhole: true, names })).toEqual([]);
  },
);

test('sign-in and lists load few files, few bytes, and nothing moves', { timeout: 600_000 }, async () => {
  await using browser = await launchBrowser();
  expect(await findHeavyPages(browser, { isWhole: true, names })).toEqual([]);
});

test('an idle tab requests nothing but the stream, on every main page', { timeout: 600_000 }, async () => {
  await using browser = await launchBrowser();
  expect(await findBusyTabs(browser, { isWhole: true })).toEqual([]);
});

afterAll(async () => {
  if (pictures.length === 0) return;
  for (const { file, isTooWide } of pictures) console.log(isTooWide ? `${file} (too wide)` : file);
  console.log(`${pictures.length} pictures: ${await writeContactSheet(pictures)}`);
});
