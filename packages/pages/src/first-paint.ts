// The HTML that a page shows until its script runs, and that search engines read. Its classes are those of the parts of apps/room that
// replace it, so the title and the picture stay where they are.

export interface FirstPaint {
  /** The page that the script will show: `card` is a message in the middle of the page. */
  layout: 'registration' | 'card' | 'lobby' | 'room';
  title: string;
  description?: string | null;
  /** The name of the workspace. Left out, the page has no head. */
  siteName?: string;
  /** Shown instead of the name. */
  logoUrl?: string | null;
  /** The picture of the webinar. */
  imageUrl?: string | null;
  /** Names of the presenters. */
  presenters?: readonly string[];
}

/** All texts are escaped. */
export function renderFirstPaint(page: FirstPaint & { lang: string }): string {
  return `<div class="first-paint">${layouts[page.layout](page)}</div>`;
}

const layouts: Record<FirstPaint['layout'], (page: FirstPaint & { lang: string }) => string> = {
  registration: (page) =>
    framed(
      page,
      '<div class="registration-page-layout"><section>' +
        `<h1 class="registration-page-title">${escapeHtml(page.title)}</h1>` +
        `<ul class="registration-page-facts"><li>&nbsp;</li>${presentersOf(page)}</ul>` +
        paragraph('registration-page-lead', splitDescription(page.description ?? null).lead) +
        picture('registration-page-poster', page) +
        '</section><section class="registration-page-card"></section><div class="registration-page-more">' +
        paragraph('webinar-about-text', splitDescription(page.description ?? null).rest) +
        '</div></div>',
    ),
  card: (page) =>
    framed(
      page,
      '<section class="message-card-card"><span class="message-card-icon"></span>' +
        `<h1 class="message-card-title">${escapeHtml(page.title)}</h1>` +
        paragraph('message-card-text', page.description) +
        '</section>',
    ),
  lobby: (page) =>
    `<div class="lobby-lobby"><header class="lobby-head">${brandOf(page)}</header><main class="lobby-main"><div>` +
    `<p class="lobby-hello">&nbsp;</p><h1 class="lobby-title">${escapeHtml(page.title)}</h1>` +
    '<p class="lobby-when">&nbsp;<span class="lobby-zone">&nbsp;</span></p>' +
    paragraph('lobby-description', page.description) +
    `</div><div class="lobby-card">${picture('lobby-poster', page)}<div class="lobby-inside"></div></div></main></div>`,
  room: (page) =>
    `<main class="room-room"><header class="room-head">${brandOf(page)}` +
    `<h1 class="room-title">${escapeHtml(page.title)}</h1></header>` +
    '<div class="room-main"><div class="room-stage"><div class="room-screen">' +
    picture('room-poster', page) +
    '</div></div></div><div class="room-panel"></div></main>',
};

function framed(page: FirstPaint, content: string): string {
  const brand = brandOf(page);
  const head = brand && `<header class="frame-head">${brand}</header>`;
  return `<div class="frame-page">${head}<main class="frame-main">${content}</main></div>`;
}

function brandOf({ siteName, logoUrl }: FirstPaint): string {
  if (siteName === undefined) return '';
  if (logoUrl) return `<img class="frame-logo" src="${escapeHtml(logoUrl)}" alt="${escapeHtml(siteName)}" />`;
  return `<span class="frame-name">${escapeHtml(siteName)}</span>`;
}

/** In the head of a page, after its length. */
function presentersOf({ presenters = [], lang }: FirstPaint & { lang: string }): string {
  if (presenters.length === 0) return '';
  const faces = '<span class="webinar-about-portrait"></span>'.repeat(Math.min(presenters.length, 3));
  const names = new Intl.ListFormat(lang).format(presenters);
  return `<li><span class="registration-page-faces">${faces}</span>${escapeHtml(names)}</li>`;
}

const leadMax = 320;

/** The first paragraph of a description stands below the title if it is short, and the rest further down. */
export function splitDescription(description: string | null): { lead: string; rest: string } {
  const text = (description ?? '').trim();
  const [first = '', ...others] = text.split(/\n\s*\n/);
  return first.length <= leadMax ? { lead: first, rest: others.join('\n\n') } : { lead: '', rest: text };
}

const paragraph = (className: string, text: string | null | undefined): string =>
  text ? `<p class="${className}">${escapeHtml(text)}</p>` : '';

/** The largest element of a page that has one. */
const picture = (className: string, { imageUrl }: FirstPaint): string =>
  imageUrl ? `<img class="${className}" src="${escapeHtml(imageUrl)}" alt="" fetchpriority="high" />` : '';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For texts and for the values of attributes in quotes. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign]!);
