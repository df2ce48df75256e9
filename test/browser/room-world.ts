// Shared by the tests of the room: a webinar with the video of the demo, and the state of the player on a page.
import type { Page } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createWorld, type RoomClock, type World } from '../support/world.ts';

/** The length of the video of the demo. */
export const videoSeconds = 85;

export interface RoomWorld extends World {
  /** The position that all players of the session have now. */
  livePosition(): number;
}

/** `webinar` replaces or adds to its fields. */
export async function createRoomWorld(
  service: TestApi,
  clock: RoomClock,
  webinar: object = {},
): Promise<RoomWorld> {
  const world = await createWorld({
    beside: { service, clock },
    webinar: {
      durationSeconds: videoSeconds,
      video: {
        source: 'url',
        url: `${service.baseUrl}/room-assets/demo.webm`,
        captionsUrl: `${service.baseUrl}/room-assets/demo.vtt`,
      },
      replay: { enabled: true },
      ...webinar,
    },
  });
  const startsAtMs = Date.parse(world.webinar.sessionTime);
  return Object.assign(world, { livePosition: () => (clock.now().getTime() - startsAtMs) / 1000 });
}

/** The player of a page. `position` is 0 while there is none. */
export async function playerOf(page: Page): Promise<{ isPlaying: boolean; position: number; rate: number }> {
  return page.evaluate(
    `(() => { const video = document.querySelector('video[slot=media]');
      return { isPlaying: Boolean(video) && !video.paused && video.readyState > 2, position: video?.currentTime ?? 0,
        rate: video?.playbackRate ?? 1 }; })()`,
  );
}

/**
 * Waits until the page plays within a second of the live position, or within three and is faster or slower until it is there. On a busy
 * machine a seek lands late, and the player seeks again only from three seconds on.
 */
export const untilLive = (page: Page, world: Pick<RoomWorld, 'livePosition'>): Promise<boolean> =>
  eventually('the video to be at the live position', async () => {
    const { isPlaying, position, rate } = await playerOf(page);
    const behind = world.livePosition() - position;
    const isNear = Math.abs(behind) < 1 || (Math.abs(behind) < 3 && (rate - 1) * behind > 0);
    return isPlaying && isNear;
  });

/** The seconds of video that the player of a page has played, by the record of the browser. On a busy machine they are fewer than have passed. */
export const playedSecondsOf = (page: Page): Promise<number> =>
  page.evaluate(`(({ played }) => Array.from({ length: played.length }, (_, n) => played.end(n) - played.start(n))
    .reduce((sum, one) => sum + one, 0))(document.querySelector('video[slot=media]'))`);
