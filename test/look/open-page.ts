import type { BrowserContext, Page } from 'playwright-core';
import type { TestBrowser } from '../support/browser.ts';
import { signInContext } from '../support/sign-in.ts';
import { hasDialog, urlOf, type LookPage } from './pages.ts';
import type { LookWorld } from './world.ts';

export interface Look {
  width: 390 | 768 | 1280 | 1440;
  scheme: 'light' | 'dark';
}

const widths = [1440, 1280, 768, 390] as const;

export const looks: readonly Look[] = widths.flatMap((width) => [
  { width, scheme: 'light' },
  { width, scheme: 'dark' },
]);

const heights = { 390: 844, 768: 1024, 1280: 800, 1440: 900 };

/** A browser window of one size and colour scheme, signed in unless `account` is undefined. */
export async function openWindow(
  browser: TestBrowser,
  { width, scheme }: Look,
  world: LookWorld,
): Promise<{ signedIn: BrowserContext; signedOut: BrowserContext }> {
  const options = {
    viewport: { width, height: heights[width] },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Berlin',
  } as const;
  const [signedIn, signedOut] = [await browser.newContext(options), await browser.newContext(options)];
  await signInContext(signedIn, world, world.account);
  return { signedIn, signedOut };
}

/** Opens a page and waits until its data is there: no skeleton, no busy table, no request under way. */
export async function openPage(page: Page, wanted: LookPage, world: LookWorld): Promise<void> {
  await page.goto(urlOf(wanted, world));
  // Most drawers are loaded after the page.
  if (hasDialog(wanted, world)) await page.getByRole('dialog').first().waitFor();
  await settle(page);
  if (!wanted.open) return;
  await wanted.open(page, world);
  await settle(page);
}

export async function settle(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2, h3)').first().waitFor();
  await page.locator(loading).first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  // One more frame for what the last answer renders.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

const loading = '[aria-busy="true"], .mantine-Skeleton-root[data-visible]';

/** Changes the colours of an open page. */
export async function showScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // Pages of attendees follow the system by themselves.
  const scheme = 'data-mantine-color-scheme';
  await page.locator(`html[${scheme}="${colorScheme}"], html:not([${scheme}])`).waitFor();
  await page.evaluate(coloursSettled);
}

/**
 * Colours that are still changing have the contrast of neither scheme. Asks again and again instead of waiting for `finished`: that of a
 * transition whose element is gone may never come.
 */
const coloursSettled = `(async () => {
  do await new Promise((done) => requestAnimationFrame(done));
  while (document.getAnimations().some((one) => one instanceof CSSTransition && one.playState === 'running'));
})()`;
