/** A video of a webinar: a file, or an HLS playlist. */
export interface VideoSource {
  url: string;
  isHls: boolean;
}

const hlsType = 'application/vnd.apple.mpegurl';

/**
 * Chrome says that it plays HLS too, but does not play many streams (video-dev/hls.js#7827). Of the browsers that do, Safari since 17 has
 * ManagedMediaSource, and those of older iPhones have no MediaSource.
 */
const playsHls = (video: HTMLVideoElement): boolean =>
  video.canPlayType(hlsType) !== '' && ('ManagedMediaSource' in window || !('MediaSource' in window));

/**
 * Gives a media element its source. hls.js is loaded only for a playlist that the browser cannot play itself. Returns a function that
 * takes the source away. `onFailed` is called when the video cannot be played now.
 */
export function attachSource(
  video: HTMLVideoElement,
  { url, isHls }: VideoSource,
  onFailed: () => void,
): () => void {
  if (!isHls || playsHls(video)) {
    video.src = url;
    return () => undefined;
  }
  let detach = (): void => undefined;
  let isDetached = false;
  const attach = async (): Promise<void> => {
    const { default: Hls } = await import('hls.js');
    if (isDetached) return;
    if (!Hls.isSupported()) return onFailed();
    const hls = new Hls({ capLevelToPlayerSize: true });
    let repairs = 0;
    hls.on(Hls.Events.ERROR, (_event, { fatal, type }) => {
      if (!fatal) return;
      repairs += 1;
      // hls.js does not load a playlist again.
      if (repairs > repairsMax || hls.levels.length === 0) onFailed();
      else if (type === Hls.ErrorTypes.MEDIA_ERROR) hls.recoverMediaError();
      else setTimeout(() => hls.startLoad(), 1000 * repairs);
    });
    hls.loadSource(url);
    hls.attachMedia(video);
    detach = () => hls.destroy();
  };
  attach().catch(onFailed);
  return () => {
    isDetached = true;
    detach();
  };
}

const repairsMax = 5;

/**
 * The captions as a URL of this page. A track of another host would need the video to allow other origins too, and most hosts of videos
 * do not.
 */
export async function loadCaptions(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) return undefined;
    return URL.createObjectURL(new Blob([await response.text()], { type: 'text/vtt' }));
  } catch {
    return undefined;
  }
}
