import { allRules, findAxeProblems } from '../support/axe.ts';
import type { TestBrowser } from '../support/browser.ts';
import { openPage, openWindow, settle, showScheme } from './open-page.ts';
import { pages } from './pages.ts';
import { createLookWorld } from './world.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

interface Wanted {
  /** All pages, also those whose parts are on other pages, at two widths and in two colour schemes. Otherwise every eighth one, once. */
  isWhole: boolean;
  /** Names of pages. Empty: all. */
  names?: readonly string[];
}

/**
 * Problems that axe finds on the pages, and pages that are wider than their window. Each page is checked at two widths and in two colour
 * schemes, or in one of these four combinations: the next pages have the others.
 */
export async function findPageProblems(
  browser: TestBrowser,
  { isWhole, names = [] }: Wanted,
): Promise<string[]> {
  await using world = await createLookWorld(1);
  const { signedIn, signedOut } = await openWindow(browser, { width: 1440, scheme: 'light' }, world);
  // A page that goes on to the next address keeps its process, and with it the compiled code.
  const [inside, outside] = [await signedIn.newPage(), await signedOut.newPage()];
  const found: string[] = [];
  const few = pages.filter(({ pictureOnly }) => !pictureOnly).filter((_, index) => index % 8 === 0);
  const judged = names.length > 0 ? pages.filter(({ name }) => names.includes(name)) : isWhole ? pages : few;
  const startMs = performance.now();
  for (const [index, wanted] of judged.entries()) {
    if (isWhole && index > 0 && index % 10 === 0) {
      const seconds = Math.round((performance.now() - startMs) / 1000);
      console.log(`axe: ${index} of ${judged.length} pages in ${seconds} s, next: ${wanted.name}`);
    }
    // Every second page is loaded narrow, the others wide. The whole check then changes the width: to load both takes twice the time.
    const [first, second] = index % 2 === 0 ? [desktop, phone] : [phone, desktop];
    const page = wanted.signedOut ? outside : inside;
    const check = async ({ width }: { width: number }, scheme: 'light' | 'dark', rules: object) => {
      await showScheme(page, scheme);
      for (const problem of await findAxeProblems(page, rules))
        found.push(`${wanted.name}, ${width} px, ${scheme}: ${problem}`);
      const needed = Number(await page.evaluate('document.documentElement.scrollWidth'));
      if (needed > width) found.push(`${wanted.name}, ${width} px, ${scheme}: it is ${needed} px wide`);
    };
    await page.setViewportSize(first);
    await openPage(page, wanted, world);
    if (isWhole) {
      await check(first, 'light', allRules);
      await check(first, 'dark', rulesOfColours);
      await page.setViewportSize(second);
      await settle(page);
      await check(second, 'dark', allRules);
      await check(second, 'light', rulesOfColours);
    } else await check(first, index % 4 < 2 ? 'light' : 'dark', allRules);
  }
  return found;
}

/** The other colour scheme changes colours only. */
const rulesOfColours = { runOnly: ['color-contrast', 'link-in-text-block'] };
