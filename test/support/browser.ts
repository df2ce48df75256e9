import { chromium, type Browser } from 'playwright-core';
import { inject } from 'vitest';

// Without the last four Chromium looks for its maker's hosts at every start.
const flags = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: inject('chromium'), args: flags });
