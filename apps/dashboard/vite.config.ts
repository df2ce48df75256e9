import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

// npm run dev says where the API is. It trusts its own origin only, so calls through this server carry that one.
const api = process.env.BASE_URL ?? 'http://localhost:3000';
const proxied = { target: api, changeOrigin: true, headers: { origin: api } };

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

export default defineConfig({
  plugins: [react(), preloadFont, compressFiles],
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Few files: without groups the code that pages share is in dozens of files of less than a kilobyte. Sign-in loads the first.
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 30 },
            { name: 'app', test: /src.(components|shell)./, minShareCount: 3, priority: 20 },
            { name: 'app', test: /src.shell./, priority: 20 },
            { name: 'app', minShareCount: 5, priority: 20 },
            {
              name: 'shared',
              minShareCount: 2,
              priority: 10,
              entriesAware: true,
              entriesAwareMergeThreshold: 40_000,
            },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/trpc': proxied, '/api': proxied } },
});
