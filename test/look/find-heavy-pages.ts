import type { CDPSession, Page } from 'playwright-core';
import type { TestBrowser } from '../support/browser.ts';
import { openWindow, settle } from './open-page.ts';
import { pages, urlOf, type LookPage } from './pages.ts';
import { createLookWorld } from './world.ts';

interface Load {
  /** Compressed, with the headers, without the font. */
  bytes: number;
  fontBytes: number;
  requests: number;
  layoutShift: number;
}

// The font is not counted: 49 kB, once a year, and the text does not wait for it.
const signInMax = 120_000;
const listMax = 262_000;
const requestsMax = 15;
const shiftMax = 0.1;

const lists = [
  'home',
  'webinars',
  'webinar-registrations',
  'keys',
  'ai-tools',
  'activity',
  'members',
  'webhooks',
  'people',
  'revenue',
  'revenue-settings',
  'webinar-interactions',
  'webinar-sessions',
  'webinar-automations',
  'webinar-executions',
  'webinar-webhooks',
  'source',
  'webhooks-deliveries',
];

/** Pages that are too rarely opened for a limit of their size. They must not move either. */
const rarePages = ['email', 'marketing-tool', 'webinar-archived'];

const rulePage = pages.find(({ name }) => name === 'source')!;
const subscriptionPage: LookPage = {
  name: 'subscription',
  route: rulePage.route.replace('$kind/$sourceId', 'webhook/$subscriptionId'),
};

/**
 * The figures of pages that load too many files or bytes, or move while they load: of all measured pages, of those with these names, or
 * of every third one.
 */
export async function findHeavyPages(
  browser: TestBrowser,
  { isWhole, names = [] }: { isWhole: boolean; names?: readonly string[] },
): Promise<string[]> {
  await using world = await createLookWorld(1);
  const { signedIn, signedOut } = await openWindow(browser, { width: 1440, scheme: 'light' }, world);
  const found: string[] = [];
  const named = ['sign-in', ...lists, ...rarePages].map((name) =>
    pages.find((entry) => entry.name === name)!,
  );
  const all = [...named, subscriptionPage].filter(({ name }) => names.length === 0 || names.includes(name));
  for (const wanted of isWhole ? all : all.filter((_, index) => index % 3 === 0)) {
    const { name } = wanted;
    const open = async (): Promise<Load> => {
      const page = await (wanted.signedOut ? signedOut : signedIn).newPage();
      const load = await measureLoad(page, urlOf(wanted, world));
      await page.close();
      return load;
    };
    const isTooMuch = ({ bytes, requests, layoutShift }: Load): boolean =>
      layoutShift >= shiftMax ||
      (!rarePages.includes(name) &&
        (bytes > (name === 'sign-in' ? signInMax : listMax) || requests > requestsMax));
    let load = await open();
    // A change in the workspace makes an open page read its records once more. That is no part of the load.
    if (isTooMuch(load)) load = await open();
    const figures = textOf(name, load);
    console.log(figures);
    if (isTooMuch(load)) found.push(figures);
  }
  return found;
}

const textOf = (name: string, { bytes, fontBytes, requests, layoutShift }: Load): string =>
  `${name}: ${kilobytes(bytes)} and ${kilobytes(fontBytes)} of font in ${requests} requests, shift ${layoutShift.toFixed(3)}`;

/** Opens the page with an empty cache. */
async function measureLoad(page: Page, url: string): Promise<Load> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  const received = countBytes(cdp);
  await page.addInitScript(watchShifts);
  await page.goto(url);
  await settle(page);
  const layoutShift = Number(await page.evaluate('window.layoutShift'));
  return { ...received, layoutShift };
}

/** Streams do not end, so only what has arrived of them counts. */
function countBytes(cdp: CDPSession) {
  const received = { bytes: 0, fontBytes: 0, requests: 0 };
  const fonts = new Set<string>();
  cdp.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http')) received.requests += 1;
  });
  cdp.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Font') fonts.add(requestId);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    received[fonts.has(requestId) ? 'fontBytes' : 'bytes'] += encodedDataLength;
  });
  return received;
}

// Runs in the page, so it is text.
const watchShifts = `window.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
