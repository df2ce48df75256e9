import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { createBuiltFiles } from './built-files.ts';
import { createMemoryFile, type MemoryFile, sendMemoryFile } from './memory-file.ts';
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
  const templates = new WeakMap<MemoryFile, Template>();
  const findTemplate = async (entry: Page['entry']): Promise<Template | undefined> => {
    const file = await files.find(`/${entry}.html`);
    if (!file) return undefined;
    const template = templates.get(file) ?? readTemplate(file);
    templates.set(file, template);
    return template;
  };
  return {
    async send(request, response, { entry, status, isEmbed = false, ...content }) {
      const template = await findTemplate(entry);
      const isFramed = isEmbed || entry === 'preview';
      response.set('Content-Security-Policy', contentPolicy(entry, { isEmbed, template }));
      // The header that `frame-ancestors` replaces knows no list of sites.
      response.removeHeader('X-Frame-Options');
      if (!response.hasHeader('Cache-Control')) response.set('Cache-Control', 'no-store');
      response.vary('Accept');
      const html = template ? renderPage(template.html, { ...content, isEmbed: isFramed }) : notBuilt;
      response.status(template ? status : 503);
      // Compression does not reveal the secrets of a page (BREACH), because a request cannot add text to the page.
      await sendMemoryFile(request, response, createMemoryFile({ bytes: Buffer.from(html), type: 'html' }));
    },
  };
}

interface Template {
  html: string;
  /** Sources of a Content-Security-Policy for the style and the script in the page. */
  styles: string;
  scripts: string;
}

function readTemplate({ bytes }: MemoryFile): Template {
  const html = bytes.toString();
  return { html, styles: hashesOf(html, 'style'), scripts: hashesOf(html, 'script') };
}

/** https://www.w3.org/TR/CSP3/#grammardef-hash-source */
const hashesOf = (html: string, tag: 'style' | 'script'): string =>
  [...html.matchAll(new RegExp(`<${tag}(?: [^>]*)?>(.+?)</${tag}>`, 'gs'))]
    .map(([, content]) => ` 'sha256-${hash('sha256', content!, 'base64')}'`)
    .join('');

/**
 * Scripts and styles come from this host only. Pictures and videos are URLs of the customer, which may be http. The player loads
 * the parts of an HLS stream itself, in a worker made from a blob, and its controls contain style elements. The preview calls nothing,
 * and only this host may show it in a frame.
 */
function contentPolicy(
  entry: Page['entry'],
  { isEmbed, template }: { isEmbed: boolean; template: Template | undefined },
): string {
  const isRoom = entry === 'room';
  return [
    "default-src 'none'",
    `script-src 'self'${template?.scripts ?? ''}`,
    // Browsers ignore 'unsafe-inline' beside a hash.
    `style-src 'self'${isRoom ? " 'unsafe-inline'" : (template?.styles ?? '')}`,
    "font-src 'self'",
    "img-src 'self' data: http: https:",
    ...(entry === 'preview' ? [] : [`connect-src 'self'${isRoom ? ' http: https:' : ''}`]),
    ...(isRoom ? ["media-src 'self' blob: http: https:", "worker-src 'self' blob:"] : []),
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${isEmbed ? '*' : entry === 'preview' ? "'self'" : "'none'"}`,
  ].join('; ');
}
