import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage, openWindow, type Look } from '../look/open-page.ts';
import { pages } from '../look/pages.ts';
import { createLookWorld } from '../look/world.ts';
import { launchBrowser } from '../support/browser.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const patient = { timeout: 300_000 };

test.each<Look>([
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 390, scheme: 'light' },
])('axe finds nothing to object to on any page, $width px wide and $scheme', patient, async (look) => {
  await using world = await createLookWorld(1);
  await using browser = await launchBrowser();
  const { signedIn, signedOut } = await openWindow(browser, look, world);
  const found: string[] = [];
  for (const wanted of pages) {
    const page = await (wanted.signedOut ? signedOut : signedIn).newPage();
    await openPage(page, wanted, world);
    for (const problem of await problemsOf(page)) found.push(`${wanted.name}: ${problem}`);
    await page.close();
  }
  expect(found).toEqual([]);
});

async function problemsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(runAxe);
}

// Runs in the page, so it is text. Each problem with the first of its elements and axe's reason.
const runAxe = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) =>
    id + ' (' + nodes.length + '): ' + nodes[0].html.slice(0, 160) + ' ' + nodes[0].failureSummary.slice(0, 220)))`;
