import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { Router, type RequestHandler } from 'express';

const dashboardFolder = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));
const assetsFolder = join(dashboardFolder, 'assets');

// Paths for programs, in any letter case. A program would read the page as an answer.
const programs = /^\/(api|trpc|mcp|oauth|room|r|metrics|healthz|readyz)(\/|$)/i;

// An empty segment, and a name that begins with a dot. No page has such a path, and scanners request `/.env`.
const notPages = /\/\/|\/\./;

const notBuilt = `<!doctype html><title>Not built</title><p>The dashboard is not built. Run <code>npm run build</code> and reload.</p>`;

/** True for a path that may be answered with the single page. Escapes are decoded: `/%61pi` is `/api`. */
function isPage(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path);
    return !programs.test(decoded) && !notPages.test(decoded);
  } catch {
    return false;
  }
}

/** Serves the built dashboard. Every other path, unless it is for programs, is its single page. */
export function createDashboard(): Router {
  const router = Router();
  router.use('/assets', serveCompressed());
  // File names contain a hash, so a browser may cache them for ever. The page itself is revalidated each time.
  router.use(
    '/assets',
    express.static(assetsFolder, {
      immutable: true,
      maxAge: '1y',
      index: false,
      redirect: false,
    }),
  );
  router.use('/assets', (_request, response) => {
    response.status(404).type('text').send('Not found');
  });
  // No redirect to a folder, because `/room/..%2f` resolves to one.
  router.use(express.static(dashboardFolder, { index: false, redirect: false }));
  router.get(/.*/, (request, response, next) => {
    if (!isPage(request.path)) return next();
    response.set('Cache-Control', 'no-cache');
    const page = join(dashboardFolder, 'index.html');
    if (existsSync(page)) return response.sendFile(page);
    return response.status(503).type('html').send(notBuilt);
  });
  return router;
}

/** Browsers read these for documents only. Without them each script and style is half a kilobyte smaller. */
const headersOfPages = [
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Origin-Agent-Cluster',
  'X-DNS-Prefetch-Control',
  'X-Download-Options',
  'X-Frame-Options',
  'X-Permitted-Cross-Domain-Policies',
  'X-XSS-Protection',
];

/** Serves the scripts and styles that the build has compressed. */
function serveCompressed(): RequestHandler {
  const compressed = new Set(existsSync(assetsFolder) ? readdirSync(assetsFolder) : []);
  return (request, response, next) => {
    const file = `${request.path.slice(1)}.br`;
    if (!compressed.has(file) || !request.acceptsEncodings('br')) return next();
    for (const name of headersOfPages) response.removeHeader(name);
    response.vary('Accept-Encoding').type(extname(request.path));
    // no-transform: otherwise the middleware would compress the file again.
    response.set({
      'Content-Encoding': 'br',
      'Cache-Control': 'public, max-age=31536000, immutable, no-transform',
    });
    return response.sendFile(file, { root: assetsFolder });
  };
}
