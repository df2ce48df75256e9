// Part of the build: copies the one file of the API reference page that is served, so that production does not need the package.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

// The best quality would make it 10 % smaller and take twenty times as long, at every first start.
const quality = 9;

const require = createRequire(import.meta.url);
const packageFolder = join(dirname(require.resolve('@scalar/api-reference')), '..');
const script = readFileSync(join(packageFolder, 'dist/browser/standalone.js'));
const target = new URL('../dist/', import.meta.url);
mkdirSync(target, { recursive: true });
writeFileSync(new URL('scalar.js', target), script);
writeFileSync(
  new URL('scalar.js.br', target),
  brotliCompressSync(script, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
);
writeFileSync(new URL('scalar.js.gz', target), gzipSync(script, { level: quality }));
