// Pages of attendees in Chromium, on a slow CPU and a slow network.
import type { Browser, CDPSession, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { percentilesOf } from './percentiles.ts';

interface Slowness {
  /** Four times. */
  slowCpu: boolean;
  slowNetwork: boolean;
}

/**
 * "Slow 4G" of Lighthouse, as the tools of Chromium apply it: latency of a request in milliseconds, bytes per second
 * (GoogleChrome/lighthouse, docs/throttling.md).
 */
const slow4g = {
  latency: 562.5,
  downloadThroughput: (1474.56 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
};

const phone = { width: 390, height: 844 };

interface RoomPage extends AsyncDisposable {
  /** Of its video from the position of the server, in seconds. Throws while nothing plays. */
  distance(startsAtMs: number): Promise<number>;
}

/** Opens the page of a join link in a context of its own. */
export async function openRoomPage(browser: Browser, address: string, slowness: Slowness): Promise<RoomPage> {
  const page = await openSlowly(browser, slowness);
  const answer = await page.goto(address);
  if (!answer?.ok()) throw new Error(`A page was answered ${answer?.status()}.`);
  return {
    async distance(startsAtMs) {
      // Server and browser are on one machine and read the same clock.
      const distance = await page.evaluate<number | null>(
        `(() => { const video = document.querySelector('video[slot=media]');
          return video && !video.paused ? Math.abs(video.currentTime - (Date.now() - ${startsAtMs}) / 1000) : null; })()`,
      );
      if (distance === null) throw new Error('A page does not play.');
      return distance;
    },
    [Symbol.asyncDispose]: () => page.context().close(),
  };
}

export interface PaintedPage {
  name: string;
  address: string;
  /** A JavaScript expression that is true once the page shows all. */
  isReady: string;
}

interface PaintFigures extends Pick<PaintedPage, 'name'> {
  /** In seconds from the start of the navigation, over the rounds. */
  median: number;
  worst: number;
  /** The tag of the element in the last round. A dash if the page has replaced it since. */
  element: string;
}

/** Loads a page with an empty cache, on a slow CPU and a slow network. The first round does not count. */
export async function measurePaint(
  browser: Browser,
  { name, address, isReady }: PaintedPage,
  rounds: number,
): Promise<PaintFigures> {
  const times: number[] = [];
  let element = '';
  for (let round = 0; round <= rounds; round += 1) {
    const page = await openSlowly(browser, { slowCpu: true, slowNetwork: true });
    await page.goto(address);
    await eventually(`the ${name}`, () => page.evaluate<boolean>(isReady));
    const paint = await page.evaluate<{ ms: number; tag: string }>(lastPaint);
    if (round > 0) times.push(paint.ms / 1000);
    element = paint.tag;
    await page.context().close();
  }
  const { p50, max } = percentilesOf(times);
  return { name, median: p50, worst: max, element };
}

const lastPaint = `new Promise((done) =>
  new PerformanceObserver((list) => {
    const last = list.getEntries().at(-1);
    done({ ms: last.startTime, tag: last.element?.tagName.toLowerCase() ?? '-' });
  }).observe({ type: 'largest-contentful-paint', buffered: true }))`;

async function openSlowly(browser: Browser, { slowCpu, slowNetwork }: Slowness): Promise<Page> {
  const page = await browser.newPage({ viewport: phone });
  const cdp: CDPSession = await page.context().newCDPSession(page);
  if (slowCpu) await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  if (slowNetwork) {
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', { offline: false, ...slow4g });
  }
  return page;
}
