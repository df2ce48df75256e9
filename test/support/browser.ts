import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { chromiumFlags } from './chromium.ts';
import { eventually } from './eventually.ts';

/** A browser as one test sees it. Disposing closes what was opened in it. */
export interface TestBrowser extends AsyncDisposable {
  /** Has cookies, storage and cache of its own. */
  newContext: Browser['newContext'];
  /** A page in a context of its own. */
  newPage: Browser['newPage'];
}

/** All tests of a process share it, because a start takes half a second of CPU. It ends with the process. */
let shared: Promise<Browser> | undefined;

/** For readers who want no movement. It saves a fifth of the browser's time, and a click waits until its target rests. */
const still = { reducedMotion: 'reduce' } as const;

export async function launchBrowser(): Promise<TestBrowser> {
  if (shared !== undefined && !(await shared).isConnected()) shared = undefined;
  shared ??= chromium.launch({ executablePath: inject('chromium'), args: chromiumFlags });
  const browser = await shared;
  const opened: BrowserContext[] = [];
  return {
    async newContext(options) {
      const context = await browser.newContext({ ...still, ...options });
      opened.push(context);
      return context;
    },
    async newPage(options) {
      const page = await browser.newPage({ ...still, ...options });
      opened.push(page.context());
      return page;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((context) => context.close()));
    },
  };
}

export interface OwnBrowser extends AsyncDisposable {
  newPage: Browser['newPage'];
  /** Stops or continues the processes of all pages, as the sleep of a computer does. */
  signalPages(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
}

/** A browser of the test's own. */
export async function startBrowser(): Promise<OwnBrowser> {
  const browser = await chromium.launch({ executablePath: inject('chromium'), args: chromiumFlags });
  const cdp = await browser.newBrowserCDPSession();
  return {
    newPage: (options) => browser.newPage(options),
    async signalPages(signal) {
      const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
      for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, signal);
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Presses a button that copies, and waits for what it copied: a click ends before the clipboard has the text. */
export async function copyBy(page: Page, button: Locator): Promise<string> {
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await button.click();
  return eventually('the copied text', () => page.evaluate<string>('navigator.clipboard.readText()'));
}
