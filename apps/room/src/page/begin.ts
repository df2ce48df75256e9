// The script in the HTML of a page (vite.config.ts). It runs before a file of the page is loaded, and imports nothing.
import type { PersonalPageData } from '@service/attendees';

export interface SentCall {
  response: Response;
  /** The text of the body. It is read at once, because the timeout would abort a later read. */
  body: string;
  /** By `performance.now()`. `answeredMs` is before the body. */
  sentMs: number;
  answeredMs: number;
}

declare global {
  /** The call that enters the room, made while the scripts are loaded. */
  var earlyVisit: Promise<SentCall> | undefined;
}

/** A picture that takes longer, in milliseconds, does not delay the scripts any more. */
const pictureMs = 200;
const timeoutMs = 10_000;

/** The script of the page, the scripts that it imports, and the style of the font. */
const [entry, ...others] = document.currentScript!.dataset['files']!.split(' ');
let isLoading = false;

function loadFiles(): void {
  if (isLoading) return;
  isLoading = true;
  append('script', { type: 'module', src: entry });
  for (const href of others)
    append('link', { rel: href.endsWith('.js') ? 'modulepreload' : 'stylesheet', href });
}

const append = (tag: string, attributes: object): void =>
  document.head.append(Object.assign(document.createElement(tag), attributes));

async function enter(): Promise<SentCall> {
  const sentMs = performance.now();
  const response = await fetch(`${location.pathname}/visits`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answeredMs = performance.now();
  return { response, body: await response.text(), sentMs, answeredMs };
}

type Data = Partial<Extract<PersonalPageData, { page: unknown }>> | null;
const data = JSON.parse(document.getElementById('page-data')!.textContent) as Data;
if (data?.page && ['lobby', 'live', 'replay'].includes(data.page.phase)) {
  globalThis.earlyVisit = enter();
  // The room reads the failure.
  globalThis.earlyVisit.catch(() => undefined);
}

// The scripts would share the bandwidth with the picture, which is seen before they run.
const picture = document.querySelector<HTMLImageElement>('.first-paint img[fetchpriority=high]');
if (picture && !picture.complete) {
  picture.addEventListener('load', loadFiles);
  picture.addEventListener('error', loadFiles);
  setTimeout(loadFiles, pictureMs);
} else loadFiles();
