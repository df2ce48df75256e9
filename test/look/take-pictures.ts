import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestBrowser } from '../support/browser.ts';
import { openPage, openWindow, settle, showScheme, type Look } from './open-page.ts';
import { pages, urlOf, type LookPage } from './pages.ts';
import { createLookWorld, type LookRows, type LookWorld } from './world.ts';

export const lookFolder = join(import.meta.dirname, '../../.look');

interface Wanted {
  rows: LookRows;
  looks: readonly Look[];
  /** Names of pages. Empty: all. */
  names: readonly string[];
}

export interface Picture {
  /** In `lookFolder`. */
  file: string;
  /** Wider than the window: something sticks out. */
  isTooWide: boolean;
}

/** Takes pictures of pages in a workspace with that many rows. */
export async function takePictures(browser: TestBrowser, { rows, looks, names }: Wanted): Promise<Picture[]> {
  await using world = await createLookWorld(rows);
  await mkdir(lookFolder, { recursive: true });
  const pictures: Picture[] = [];
  const startMs = performance.now();
  for (const [width, ofWidth] of Map.groupBy(looks, (look) => look.width)) {
    const { signedIn, signedOut } = await openWindow(browser, ofWidth[0]!, world);
    // A tab that goes on to the next address keeps its compiled code, and a loaded page changes its colours.
    const [inside, outside] = [await signedIn.newPage(), await signedOut.newPage()];
    for (const wanted of pages.filter(isWanted(names, width))) {
      const page = wanted.signedOut ? outside : inside;
      await openPage(page, wanted, world);
      for (const { scheme } of ofWidth) {
        await showScheme(page, scheme);
        const file = `${wanted.name}-${rows}-${width}-${scheme}.png`;
        // Sticky bars are at their place at the top of a whole page. A picture of 1,000 rows would have 41,000 px.
        if (rows < 2) await page.evaluate('scrollTo(0, 0)');
        await page.screenshot({ path: join(lookFolder, file), fullPage: rows < 2 });
        const needed = Number(await page.evaluate('document.documentElement.scrollWidth'));
        pictures.push({ file, isTooWide: needed > width });
      }
    }
    await signedIn.close();
    await signedOut.close();
    if (names.length > 0) continue;
    const seconds = Math.round((performance.now() - startMs) / 1000);
    console.log(`${rows} rows: ${pictures.length} pictures in ${seconds} s, up to ${width} px`);
  }
  if (rows === 1 && names.length === 0)
    for (const look of looks.filter(({ width }) => width === 390 || width === 1440))
      pictures.push(...(await takeFailures(browser, look, world)));
  return pictures;
}

const isWanted =
  (names: readonly string[], width: Look['width']) =>
  ({ name, laptop, tablet }: LookPage): boolean =>
    (names.length === 0 || names.includes(name)) &&
    (width !== 1280 || laptop === true) &&
    (width !== 768 || tablet === true);

/** The service is away, and the sign-in session ends inside a form. */
async function takeFailures(browser: TestBrowser, look: Look, world: LookWorld): Promise<Picture[]> {
  const { signedIn: context, signedOut } = await openWindow(browser, look, world);
  const away = `server-away-${look.width}-${look.scheme}.png`;
  const ended = `session-ended-${look.width}-${look.scheme}.png`;
  const page = await context.newPage();
  await page.route('**/trpc/**', (route) => route.abort());
  const list: LookPage = { name: 'webinars', route: '/w/$workspaceId/webinars' };
  await page.goto(urlOf(list, world));
  await page.getByRole('alert').first().waitFor();
  await page.screenshot({ path: join(lookFolder, away) });
  await page.unroute('**/trpc/**');
  await openPage(page, { ...list, search: '?create=true' }, world);
  await page.getByLabel('Title').first().fill('Half a webinar');
  await context.clearCookies();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Create/ })
    .click();
  await page.getByLabel('Password', { exact: true }).waitFor();
  await settle(page);
  await page.screenshot({ path: join(lookFolder, ended) });
  await context.close();
  await signedOut.close();
  return [away, ended].map((file) => ({ file, isTooWide: false }));
}

/** One page with all pictures. */
export async function writeContactSheet(pictures: readonly Picture[]): Promise<string> {
  const sheet = join(lookFolder, 'index.html');
  const figures = pictures.map(
    ({ file }) =>
      `<figure><a href="${file}"><img src="${file}" loading="lazy" alt=""></a><figcaption>${file}</figcaption></figure>`,
  );
  await writeFile(
    sheet,
    `<!doctype html><meta charset="utf-8"><title>Look</title><style>body{font:12px sans-serif;display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:16px}figure{margin:0}img{width:100%;max-height:360px;object-fit:cover;object-position:top;border:1px solid #ccc}</style>${figures.join('\n')}`,
  );
  return sheet;
}
