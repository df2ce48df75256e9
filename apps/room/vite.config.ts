import { basename, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

const base = '/room-assets/';

const api = process.env.BASE_URL ?? 'http://localhost:3000';

/**
 * Makes the first paint of a page wait for no other file. The styles are put into the HTML, and so is `begin.ts`, which loads the
 * scripts and the font.
 */
const inlineFirstPaint: Plugin = {
  name: 'inline-first-paint',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const files = Object.values(bundle);
      const begin = files.find(
        (file) => file.type === 'chunk' && file.name === 'begin',
      ) as Rolldown.OutputChunk;
      for (const file of files)
        if (file.type === 'asset' && file.fileName.endsWith('.html'))
          file.source = inlineInto(String(file.source), bundle, begin.code);
      for (const { fileName } of files)
        if (fileName === begin.fileName || (fileName.endsWith('.css') && !isFont(fileName)))
          delete bundle[fileName];
    },
  },
};

const tags = /\s*<(?:link|script)[^>]* (?:href|src)="\/room-assets\/([^"]+)">(?:<\/script>)?/g;

const isFont = (name: string): boolean => name.startsWith('font-');

function inlineInto(html: string, bundle: Rolldown.OutputBundle, begin: string): string {
  const names = [...html.matchAll(tags)].map(([, name]) => name!);
  const loaded = names.filter((name) => name.endsWith('.js') || isFont(name));
  const styles = names.filter((name) => name.endsWith('.css') && !isFont(name));
  const style = styles.map((name) => (bundle[name] as Rolldown.OutputAsset).source).join('');
  return html
    .replaceAll(tags, '')
    .replace('</head>', () => `<style>${style}</style>\n  </head>`)
    .replace(
      '<div id="root"></div>',
      (root) =>
        `${root}\n    <script data-files="${loaded.map((name) => base + name).join(' ')}">(() => {${begin.trim()}})()</script>`,
    );
}

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

const pages = ['registration', 'room', 'preview'].map((name) => join(import.meta.dirname, `${name}.html`));

export default defineConfig({
  base,
  plugins: [react(), inlineFirstPaint, compressFiles],
  css: {
    modules: {
      // `.head` of `frame.module.css` is `frame-head`. The server uses these names for the first paint (packages/pages).
      generateScopedName: (name, file) => `${basename(file, '.module.css')}-${name}`,
    },
  },
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    assetsDir: '',
    // hls.js, which is loaded only for streams.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: [...pages, join(import.meta.dirname, 'src/page/begin.ts')],
      // The code that several pages use. Registration loads none of the room.
      output: {
        codeSplitting: {
          groups: [
            { name: 'font', test: /font\.css$/, priority: 1 },
            { name: 'shared', minShareCount: 2, test: (id) => !id.includes('/src/room/') },
            { name: 'cards', minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { port: 5174, proxy: { '/w': api, '/room': api, '/api': api } },
});
