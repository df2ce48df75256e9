import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage, openWindow, settle } from '../look/open-page.ts';
import { pages } from '../look/pages.ts';
import { createLookWorld } from '../look/world.ts';
import { allRules, findAxeProblems } from '../support/axe.ts';
import { launchBrowser } from '../support/browser.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

test(
  'axe finds nothing to object to on any page, 1440 and 390 px wide, in both colour schemes, and no page is wider than its window',
  { timeout: 600_000 },
  async () => {
    await using world = await createLookWorld(1);
    await using browser = await launchBrowser();
    const { signedIn, signedOut } = await openWindow(browser, { width: 1440, scheme: 'light' }, world);
    const found: string[] = [];
    for (const [index, wanted] of pages.filter(({ pictureOnly }) => !pictureOnly).entries()) {
      // Every second page is loaded narrow and then widened, the others the other way: loading both twice takes twice the time.
      const [first, second] = index % 2 === 0 ? [desktop, phone] : [phone, desktop];
      const page = await (wanted.signedOut ? signedOut : signedIn).newPage();
      const check = async ({ width }: { width: number }, scheme: string, rules: object) => {
        for (const problem of await findAxeProblems(page, rules))
          found.push(`${wanted.name}, ${width} px, ${scheme}: ${problem}`);
        const needed = Number(await page.evaluate('document.documentElement.scrollWidth'));
        if (needed > width) found.push(`${wanted.name}, ${width} px, ${scheme}: it is ${needed} px wide`);
      };
      await page.setViewportSize(first);
      await openPage(page, wanted, world);
      await check(first, 'light', allRules);
      await showScheme(page, 'dark');
      await check(first, 'dark', rulesOfColours);
      await page.setViewportSize(second);
      await settle(page);
      await check(second, 'dark', rulesOfColours);
      await showScheme(page, 'light');
      await check(second, 'light', allRules);
      await page.close();
    }
    expect(found).toEqual([]);
  },
);

async function showScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // Pages of attendees follow the system by themselves.
  const scheme = 'data-mantine-color-scheme';
  await page.locator(`html[${scheme}="${colorScheme}"], html:not([${scheme}])`).waitFor();
  await page.evaluate(coloursSettled);
}

/** The other colour scheme changes colours only. */
const rulesOfColours = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** Colours that are still changing have the contrast of neither scheme. */
const coloursSettled = `new Promise((done) => requestAnimationFrame(done)).then(() => Promise.all(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished.catch(() => undefined)))).then(() => undefined)`;
