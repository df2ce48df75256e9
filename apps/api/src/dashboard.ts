import { fileURLToPath } from 'node:url';
import { createBuiltFiles, sendMemoryFile } from '@service/pages';
import { type Request, type RequestHandler, Router } from 'express';

const dashboardFolder = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));
const roomFolder = fileURLToPath(new URL('../../room/dist', import.meta.url));

// Paths that are no page of the dashboard, in any letter case. A program would read the page as an answer.
const programs = /^\/(api|trpc|mcp|oauth|room|room-assets|r|mail|unsubscribe|metrics|healthz|readyz)(\/|$)/i;

// Below /w are the pages of workspaces, by their id, and the registration pages of webinars, which are no pages of the dashboard.
const registrationPages = /^\/w\/(?![0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\/|$))/i;

// An empty segment, and a name that begins with a dot. No page has such a path, and scanners request `/.env`.
const notPages = /\/\/|\/\./;

const notBuilt = `<!doctype html><title>Not built</title><p>The dashboard is not built. Run <code>npm run build</code> and reload.</p>`;

/** True for a path that may be answered with the single page. Escapes are decoded: `/%61pi` is `/api`. */
function isPage(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path);
    return ![programs, registrationPages, notPages].some((pattern) => pattern.test(decoded));
  } catch {
    return false;
  }
}

/** Serves the built dashboard and the scripts of attendee pages. Every other path, unless it is for programs, is its single page. */
export function createDashboard(): Router {
  const router = Router();
  const files = createBuiltFiles(dashboardFolder, 'index.html');
  router.use(
    '/assets',
    sendHashedFiles(files, (request) => request.baseUrl + request.path),
  );
  router.use('/room-assets', sendHashedFiles(createBuiltFiles(roomFolder, 'registration.html')));
  router.use(async (request, response, next) => {
    const file = isRead(request) ? await files.find(request.path) : undefined;
    if (!file) return next();
    response.set('Cache-Control', 'public, max-age=0');
    return sendMemoryFile(request, response, file);
  });
  router.get(/.*/, async (request, response, next) => {
    if (!isPage(request.path)) return next();
    response.set('Cache-Control', 'no-cache');
    const page = await files.find('/index.html');
    if (page) return sendMemoryFile(request, response, page);
    return response.status(503).type('html').send(notBuilt);
  });
  return router;
}

/** The names of scripts and styles contain a hash, so a browser may cache them for ever. Pages are not among these files. */
function sendHashedFiles(
  files: ReturnType<typeof createBuiltFiles>,
  pathOf = (request: Request): string => request.path,
): RequestHandler {
  return async (request, response) => {
    const file = isRead(request) ? await files.find(pathOf(request)) : undefined;
    if (!file || file.type === 'html') return response.status(404).type('text').send('Not found');
    if (file.type === 'js' || file.type === 'css')
      for (const name of headersOfPages) response.removeHeader(name);
    // no-transform: a proxy would compress the file again.
    const caching = hashed.test(request.path) ? 'max-age=31536000, immutable' : 'max-age=3600';
    response.set('Cache-Control', `public, ${caching}, no-transform`);
    return sendMemoryFile(request, response, file);
  };
}

const hashed = /-[\w-]{8}\.\w+$/;

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

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
