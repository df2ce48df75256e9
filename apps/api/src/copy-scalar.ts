// Part of the build: takes the one file of the API reference page that is served, so that production needs no more of it.
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const packageFolder = join(dirname(require.resolve('@scalar/api-reference')), '..');
const target = new URL('../dist/', import.meta.url);
mkdirSync(target, { recursive: true });
copyFileSync(join(packageFolder, 'dist/browser/standalone.js'), new URL('scalar.js', target));
