// The pages for people beside the API reference: guides, changelog and error codes. They are Markdown files in `guides/`, become HTML at
// their first request, and have no script.
import { httpStatusByKind, type DocumentedErrors } from '@service/errors';
import { createMemoryFile, escapeHtml, sendMemoryFile, type MemoryFile } from '@service/pages';
import { Router, type RequestHandler } from 'express';
import { Marked, type Tokens } from 'marked';
import { readFileSync } from 'node:fs';

/** The guides in reading order. Each is a file in `guides/`. */
const guideNames = [
  'first-call',
  'webhooks',
  'join-links',
  'idempotency',
  'recovery',
  'pagination',
  'rate-limits',
  'testing',
  'no-code',
] as const;

/** The guides about single error codes. */
const guideByCode: Readonly<Record<string, (typeof guideNames)[number]>> = {
  invalid_api_key: 'first-call',
  session_time_unavailable: 'first-call',
  join_link_expired: 'join-links',
  idempotency_in_progress: 'idempotency',
  idempotency_key_reused: 'idempotency',
  outcome_unknown: 'idempotency',
  delivery_backlog_full: 'recovery',
  endpoint_halted: 'recovery',
  recovery_running: 'recovery',
  malformed_request: 'pagination',
  rate_limited: 'rate-limits',
  service_busy: 'rate-limits',
};

/** Pages without a request to another host, a script or a form. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface GuideOptions {
  errors: DocumentedErrors;
  /** The texts for places such as `{{baseUrl}}`. */
  values: Readonly<Record<string, string | number>>;
}

/** `/guides`, each guide below it (with `.md` as Markdown), `/changelog` and `/errors`, all below the address of the reference. */
export function createGuides({ errors, values }: GuideOptions): Router {
  const guides = Router({ caseSensitive: true });
  const page = (path: string, read: () => string): void => {
    guides.get(
      path,
      serve('html', () => renderPage(path, fillIn(read(), values))),
    );
    guides.get(
      `${path}.md`,
      serve('txt', () => fillIn(read(), values)),
    );
  };
  page('/guides', describeGuides);
  for (const name of guideNames) page(`/guides/${name}`, () => readGuide(name));
  page('/changelog', () => readGuide('changelog'));
  page('/errors', () => describeErrors(errors));
  guides.get(
    '/guides.css',
    serve('css', () => readText('style.css')),
  );
  return guides;
}

function serve(type: string, make: () => string): RequestHandler {
  let file: MemoryFile | undefined;
  return (request, response) => {
    file ??= createMemoryFile({ type, bytes: Buffer.from(make()) });
    response.set({ 'Cache-Control': 'public, max-age=60', 'Content-Security-Policy': policy });
    return sendMemoryFile(request, response, file);
  };
}

const readText = (file: string): string =>
  readFileSync(new URL(`../guides/${file}`, import.meta.url), 'utf8');

/** The Markdown of a guide or of the changelog. */
const readGuide = (name: string): string => readText(`${name}.md`);

/** Replaces places such as `{{baseUrl}}`. Throws for a place without a value. */
const fillIn = (text: string, values: GuideOptions['values']): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A guide has the place ${place}, which has no value`);
    return String(value);
  });

/** The list of all guides. */
function describeGuides(): string {
  const items = guideNames.map((name) => {
    const { title, summary } = headOf(readGuide(name));
    return `## [${title}](guides/${name})\n\n${summary}`;
  });
  return [
    '# Guides',
    'Short texts with samples that run. The reference has every operation and field.',
    ...items,
  ].join('\n\n');
}

/** The heading and the first paragraph of a page. */
function headOf(markdown: string): { title: string; summary: string } {
  const [, title, summary] = /^# (.+)\n\n([^]+?)\n\n/.exec(markdown)!;
  return { title: title!, summary: summary! };
}

/** A heading for each code, whose anchor is the code itself: `docUrl` of an error refers to it. */
function describeErrors(errors: DocumentedErrors): string {
  const entries = Object.entries(errors)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { kind, message, remedy }]) => {
      const guide = guideByCode[code];
      return [
        `## ${code}`,
        `Status \`${httpStatusByKind[kind]}\`: ${message}`,
        `**What to do.** ${remedy}`,
        ...(guide ? [`Guide: [${headOf(readGuide(guide)).title}](guides/${guide})`] : []),
      ].join('\n\n');
    });
  const introduction =
    'Every refusal has a `code` for programs, a `message` for people, a `requestId`, and a `docUrl` that leads to this page. `issues` names every ' +
    'problem of the input; one that depends on your records or on the address of a webhook is named when the others are solved. Programs ' +
    'should decide by the code: messages can change.';
  return ['# Error codes', introduction, ...entries].join('\n\n');
}

interface Heading {
  id: string;
  html: string;
}

const menu = { Guides: 'guides', 'API reference': '', 'Error codes': 'errors', Changelog: 'changelog' };

/** A page with its menu and a table of contents. The texts are our own, so HTML in them is not escaped. */
function renderPage(path: string, markdown: string): string {
  const { html, headings } = renderMarkdown(markdown);
  const { title } = headOf(markdown);
  const items = Object.entries(menu).map(([label, target]) => {
    const href = `/api/v1/docs${target && `/${target}`}`;
    return `<a href="${href}"${path === `/${target}` ? ' aria-current="page"' : ''}>${label}</a>`;
  });
  const contents = headings.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="stylesheet" href="/api/v1/docs/guides.css" />
  </head>
  <body>
    <header><nav aria-label="Documentation">${items.join('\n')}</nav></header>
    <div class="page">
      <nav class="contents" aria-label="On this page">
        <p>On this page</p>
        <ul>
          ${contents.join('\n          ')}
        </ul>
        <p><a href="/api/v1/docs${path}.md">This page as Markdown</a></p>
      </nav>
      <main>
${html}
      </main>
    </div>
  </body>
</html>
`;
}

/** HTML with an anchor for each heading, and the headings of the second level. */
function renderMarkdown(markdown: string): { html: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const html = this.parser.parseInline(tokens);
        const id = anchorOf(text);
        if (depth === 2) headings.push({ id, html: html.replaceAll(/<\/?a\b[^>]*>/g, '') });
        return `<h${depth} id="${id}">${html}</h${depth}>\n`;
      },
      code: renderSample,
    },
  });
  const html = marked
    .parse(markdown, { async: false })
    // A wide table is scrolled, also with the keyboard.
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return { html, headings };
}

/** The words of a heading in lower case, with `-` between them. An error code stays as it is. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** A fence of Markdown. The word after its language is the name of the file, which is shown above the code. */
function renderSample({ text, lang = '' }: Tokens.Code): string {
  const [, name] = lang.split(' ');
  const caption = name ? `<figcaption>${name}</figcaption>` : '';
  return `<figure>${caption}<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre></figure>\n`;
}
