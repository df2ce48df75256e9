import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const api = process.env.BASE_URL ?? 'http://localhost:3000';

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
  base: '/room-assets/',
  plugins: [react(), compressFiles],
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    assetsDir: '',
    // hls.js, which is loaded only for streams.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: ['registration', 'room', 'preview'].map((name) => join(import.meta.dirname, `${name}.html`)),
      // The code that several pages use. Registration loads none of the room.
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', minShareCount: 2, test: (id) => !id.includes('/src/room/') },
            { name: 'cards', minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { port: 5174, proxy: { '/w': api, '/room': api, '/api': api } },
});
