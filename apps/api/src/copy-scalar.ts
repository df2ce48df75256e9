// Part of the build: writes the one file of the API reference page that is served, so that production does not need the package. Scalar's
// plugin for Fastify contains this file. The package `@scalar/api-reference` has it too, with 225 further packages and 240 MB.
import scalar from '@scalar/fastify-api-reference';
import { mkdirSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

// The best quality would make it 10 % smaller and take twenty times as long, at every first start.
const quality = 9;

/** The answer of the plugin's route for the file. This stands in for the server that the plugin expects. */
function readScript(): string {
  let script: string | undefined;
  const reply = {
    header: () => reply,
    send: (content: string) => void (script = content),
  };
  const route = ({ url, handler }: { url: string; handler: (...args: unknown[]) => void }): void => {
    if (url.endsWith('/scalar.js')) handler({}, reply);
  };
  const addTo = scalar as unknown as (server: object, options: object, next: () => void) => void;
  addTo({ route, initialConfig: {} }, { configuration: { url: '/' } }, () => undefined);
  if (script === undefined) throw new Error('@scalar/fastify-api-reference has no route for scalar.js');
  return script;
}

const script = Buffer.from(readScript());
const target = new URL('../dist/', import.meta.url);
mkdirSync(target, { recursive: true });
writeFileSync(new URL('scalar.js', target), script);
writeFileSync(
  new URL('scalar.js.br', target),
  brotliCompressSync(script, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
);
writeFileSync(new URL('scalar.js.gz', target), gzipSync(script, { level: quality }));
