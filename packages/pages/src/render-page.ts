import { escapeHtml, type FirstPaint, renderFirstPaint } from './first-paint.ts';

export interface PageContent extends Omit<FirstPaint, 'layout'> {
  /** A BCP 47 tag, such as `de`. */
  lang: string;
  /** Shown until the script runs. Left out, the page is empty until then. */
  layout?: FirstPaint['layout'];
  /** The address of the page without a query. Pages without one are not indexed and have no preview. */
  canonicalUrl?: string;
  /** The value that the script of the page reads from `#page-data`. */
  data: unknown;
  isEmbed?: boolean;
}

/** Puts head tags, the first paint and page data into a built HTML file. Every text is escaped. */
export function renderPage(html: string, page: PageContent): string {
  const { lang, layout, data, isEmbed = false } = page;
  const script = `<script type="application/json" id="page-data">${escapeJson(data)}</script>`;
  const firstPaint = layout ? renderFirstPaint({ ...page, layout }) : '';
  // Functions, because a replacement text would give a meaning to `$&` of a title.
  return html
    .replace('<html lang="en">', () => `<html lang="${escapeHtml(lang)}">`)
    .replace(/<title>.*?<\/title>/s, () => headTags(page))
    .replace('<body>', () => `<body${isEmbed ? ' class="embed"' : ''}>`)
    .replace('<div id="root"></div>', () => `<div id="root">${firstPaint}</div>${script}`);
}

function headTags({ title, description, siteName, canonicalUrl, imageUrl }: PageContent): string {
  const tags = [`<title>${escapeHtml(title)}</title>`];
  const meta = (kind: 'name' | 'property', key: string, content: string | null | undefined): void => {
    if (content) tags.push(`<meta ${kind}="${key}" content="${escapeHtml(content)}" />`);
  };
  const summary = description && shorten(description);
  meta('name', 'description', summary);
  if (canonicalUrl === undefined) {
    meta('name', 'robots', 'noindex');
    return tags.join('\n    ');
  }
  tags.push(`<link rel="canonical" href="${escapeHtml(canonicalUrl)}" />`);
  meta('property', 'og:type', 'website');
  meta('property', 'og:site_name', siteName);
  meta('property', 'og:title', title);
  meta('property', 'og:description', summary);
  meta('property', 'og:url', canonicalUrl);
  meta('property', 'og:image', imageUrl);
  meta('name', 'twitter:card', imageUrl ? 'summary_large_image' : 'summary');
  return tags.join('\n    ');
}

const summaryMax = 200;

/** The beginning of a text in one line, as previews show it. */
function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= summaryMax) return line;
  return `${line.slice(0, summaryMax - 1).replace(/\s?\S*$/, '')}…`;
}

/** JSON in which no text ends the script element or begins a comment in it. */
const escapeJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
