import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { createChunks } from './chunks.ts';

// npm run dev says where the API is. It trusts its own origin only, so calls through this server carry that one.
const api = process.env.BASE_URL ?? 'http://localhost:3000';
const proxied = { target: api, changeOrigin: true, headers: { origin: api } };

const { plugin: readImports, groups } = createChunks();

/** Starts loading the font with the page instead of after the styles. */
const preloadFont: Plugin = {
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const font = Object.keys(bundle).find((name) => /inter-latin-wght.*\.woff2$/.test(name));
      if (font === undefined) return [];
      const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
};

/**
 * The search parameters of all routes are read by a small part of zod, which every page of a workspace loads. As a second copy it stays small:
 * in one copy it would have everything that any form uses, 12 kB more on every page.
 */
const smallZod: Plugin = {
  name: 'small-zod',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer) {
    const isInside = importer?.endsWith(smallMark) === true;
    if (source !== 'zod/mini' && !isInside) return null;
    const resolved = await this.resolve(source, importer?.replace(smallMark, ''), { skipSelf: true });
    return resolved && { ...resolved, id: resolved.id.replace(smallMark, '') + smallMark };
  },
};
const smallMark = '?small';

/** With the best quality, which takes too long for each request: a sixth fewer bytes than the server would send. */
const compressFiles: Plugin = {
  name: 'compress-files',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!/\.(js|css)$/.test(fileName)) continue;
        const source = brotliCompressSync(file.type === 'chunk' ? file.code : file.source);
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source });
      }
    },
  },
};

const shortName = (name: string): string => name.split('~')[0]!;

export default defineConfig({
  plugins: [readImports, smallZod, react(), preloadFont, compressFiles],
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The package does not say that its modules have no side effects, and its links for WebSockets would stay.
      treeshake: { moduleSideEffects: [{ test: /@trpc.client/, sideEffects: false }] },
      output: {
        codeSplitting: { groups },
        // Lists name the files that they load later. The name of shared code has all of its users, which is long.
        chunkFileNames: ({ name }) => `assets/${shortName(name)}-[hash].js`,
        assetFileNames: ({ names: [name = ''] }) =>
          `assets/${shortName(name.replace(/\.\w+$/, ''))}-[hash][extname]`,
      },
    },
  },
  server: { port: 5173, proxy: { '/trpc': proxied, '/api': proxied, '/room': proxied } },
});
