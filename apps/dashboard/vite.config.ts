import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// npm run dev says where the API is. It trusts its own origin only, so calls through this server carry that one.
const api = process.env.BASE_URL ?? 'http://localhost:3000';
const proxied = { target: api, changeOrigin: true, headers: { origin: api } };

export default defineConfig({
  plugins: [react()],
  build: { target: 'es2022', sourcemap: false, assetsInlineLimit: 0 },
  server: { port: 5173, proxy: { '/trpc': proxied, '/api': proxied } },
});
