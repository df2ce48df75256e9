import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { Router } from 'express';

const dashboardFolder = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));

// Paths that belong to programs, in any case: a page there would be taken for an answer.
const programs = /^\/(api|trpc|mcp|room|r|metrics|healthz|readyz)(\/|$)/i;

// An empty segment, and a name that begins with a dot: no page has such an address, and scanners ask for `/.env`.
const notPages = /\/\/|\/\./;

const notBuilt = `<!doctype html><title>Not built</title><p>The dashboard is not built. Run <code>npm run build</code> and reload.</p>`;

/** True for a path that may be answered with the single page. Escapes are resolved: `/%61pi` is a program's path too. */
function isPage(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path);
    return !programs.test(decoded) && !notPages.test(decoded);
  } catch {
    return false;
  }
}

/** The built dashboard; every path that is not a file or a program's is its single page. */
export function createDashboard(): Router {
  const router = Router();
  // File names carry a hash, so a browser may keep them for good; the page itself is always asked for anew.
  router.use(
    '/assets',
    express.static(join(dashboardFolder, 'assets'), {
      immutable: true,
      maxAge: '1y',
      index: false,
      redirect: false,
    }),
  );
  router.use('/assets', (_request, response) => {
    response.status(404).type('text').send('Not found');
  });
  // No redirect to a folder: `/room/..%2f` resolves to one.
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
