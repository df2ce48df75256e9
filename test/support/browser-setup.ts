// One browser binary for the run: the system's Chromium if there is one, else the one inside @sparticuz/chromium, which needs
// no download and no system package.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    chromium: string;
  }
}

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | void> {
  const system = systemBrowsers.find((path) => existsSync(path));
  if (system) return project.provide('chromium', system);
  // It unpacks into the temporary folder, once, before two tests could do so at the same time.
  const folder = await mkdtemp(join(tmpdir(), 'service-chromium-'));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  // Said to be a Lambda, it also unpacks the shared libraries that a bare machine lacks.
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x';
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x';
  const { default: bundled } = await import('@sparticuz/chromium');
  project.provide('chromium', await bundled.executablePath());
  await writeFile(join(folder, 'fonts', 'fonts.conf'), fontsIn(folder));
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  return () => rm(folder, { recursive: true, force: true });
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
