import type { Request, Response } from 'express';
import { createBuiltFiles } from './built-files.ts';
import { renderPage, type PageContent } from './render-page.ts';

export interface Page extends PageContent {
  /** The HTML file of the build, without its ending. */
  entry: 'registration' | 'room' | 'preview';
  status: number;
  /** True for a page that other sites may show in a frame. */
  isEmbed?: boolean;
}

/** The pages that attendees see. */
export interface Pages {
  /** Answers with a page, for GET and HEAD. Headers that the caller has set stay, except those of security. */
  send(request: Request, response: Response, page: Page): Promise<void>;
}

const notBuilt = `<!doctype html><title>Not built</title><p>The pages are not built. Run <code>npm run build</code> and reload.</p>`;

/** `folder` is the build of `apps/room`. */
export function createPages(folder: string): Pages {
  const files = createBuiltFiles(folder, 'registration.html');
  return {
    async send(request, response, { entry, status, isEmbed = false, ...content }) {
      const built = await files.find(`/${entry}.html`);
      const isFramed = isEmbed || entry === 'preview';
      response.set('Content-Security-Policy', contentPolicy(entry, isEmbed));
      // The header that `frame-ancestors` replaces knows no list of sites.
      response.removeHeader('X-Frame-Options');
      if (!response.hasHeader('Cache-Control')) response.set('Cache-Control', 'no-store');
      response.vary('Accept');
      const html = built ? renderPage(built.bytes.toString(), { ...content, isEmbed: isFramed }) : notBuilt;
      response.status(built ? status : 503).type('html');
      if (request.method === 'HEAD') response.set('Content-Length', String(Buffer.byteLength(html))).end();
      else response.send(html);
    },
  };
}

/**
 * Scripts and styles come from this host only. Pictures and videos are URLs of the customer, which may be http. The player loads
 * the parts of an HLS stream itself, in a worker made from a blob, and its controls contain style elements. The preview calls nothing,
 * and only this host may show it in a frame.
 */
function contentPolicy(entry: Page['entry'], isEmbed: boolean): string {
  const isRoom = entry === 'room';
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${isRoom ? " 'unsafe-inline'" : ''}`,
    "font-src 'self'",
    "img-src 'self' data: http: https:",
    ...(entry === 'preview' ? [] : [`connect-src 'self'${isRoom ? ' http: https:' : ''}`]),
    ...(isRoom ? ["media-src 'self' blob: http: https:", "worker-src 'self' blob:"] : []),
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${isEmbed ? '*' : entry === 'preview' ? "'self'" : "'none'"}`,
  ].join('; ');
}
