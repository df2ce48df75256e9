// One browser binary for a run: the system's Chromium if there is one, else the one inside @sparticuz/chromium, which needs no download
// and no system package.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Chromium extends AsyncDisposable {
  /** Of the program. Disposing removes it, unless it is the system's. */
  path: string;
}

// Without the last four Chromium looks for its maker's hosts at every start.
export const chromiumFlags = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function findChromium(): Promise<Chromium> {
  const system = systemBrowsers.find((path) => existsSync(path));
  if (system) return { path: system, [Symbol.asyncDispose]: async () => undefined };
  // It unpacks into the temporary folder, once, before two tests could do so at the same time.
  const folder = await mkdtemp(join(tmpdir(), 'service-chromium-'));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  // Said to be a Lambda, it also unpacks the shared libraries that a bare machine lacks.
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x';
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x';
  const { default: bundled } = await import('@sparticuz/chromium');
  const path = await bundled.executablePath();
  await writeFile(join(folder, 'fonts', 'fonts.conf'), fontsIn(folder));
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * What comes with the browser looks for its fonts elsewhere than they were unpacked to, and a page for which there is no font at
 * all ends the browser.
 */
const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
