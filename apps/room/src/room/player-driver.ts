// Drives a media element: starts it, keeps it at the live position, collects what it plays, and says when a heartbeat is due.
import { correct, createSeekPauses } from './live-sync.ts';
import { createPlayedIntervals } from './played-intervals.ts';
import type { Beat, PlayState } from './heartbeat-queue.ts';

export type AutoplayState = 'sound' | 'muted' | 'blocked';

interface DriverOptions {
  video: HTMLVideoElement;
  /** The live position in seconds. Undefined when each viewer has a position of their own. */
  livePosition: (() => number) | undefined;
  /** The first position of a viewer who has a position of their own. */
  startSeconds: number;
  /** The segment that the video shows, in an adaptive webinar. */
  segmentId: string | undefined;
  /** The sound that the viewer chose before. */
  startsMuted: boolean;
  /** True while another tab plays. */
  startsAside: boolean;
  onBeat(beat: Beat): void;
  onAutoplay(state: AutoplayState): void;
  onEnded(): void;
}

export interface PlayerDriver {
  /** The position for interactions, in seconds. Of a live session it goes on while the player cannot play. */
  position(): number;
  /** Starts again after a browser or the system has stopped it, with sound. */
  startWithSound(): void;
  seek(seconds: number): void;
  /** Stops playing while another tab plays. */
  setAside(isAside: boolean): void;
  /** The heartbeat of this moment. */
  takeBeat(): Beat;
  destroy(): void;
}

const tickMs = 250;
const beatEveryMs = 10_000;

export function createPlayerDriver(options: DriverOptions): PlayerDriver {
  const { video, livePosition, startSeconds, onBeat } = options;
  const played = createPlayedIntervals();
  const pauses = createSeekPauses();
  const aborter = new AbortController();
  let isPlaced = false;
  let isAside = options.startsAside;
  let isStarting = false;
  let autoplay: AutoplayState | undefined;
  let beatAtMs = performance.now() + Math.random() * 1000;

  const isLive = livePosition !== undefined;
  const isEnded = (): boolean =>
    video.ended || (livePosition !== undefined && video.duration > 0 && livePosition() >= video.duration);
  const stateNow = (): PlayState => (isEnded() ? 'ended' : video.paused || !isPlaced ? 'paused' : 'playing');
  /** Before the video has loaded it is the start, so that no heartbeat sets the position of the viewer to 0. */
  const playhead = (): number => (isPlaced ? video.currentTime : startSeconds);
  const position = (): number => livePosition?.() ?? playhead();

  const takeBeat = (): Beat => ({
    playheadSeconds: Math.max(0, Math.min(playhead(), 86_400)),
    intervals: played.take(),
    state: stateNow(),
    visible: document.visibilityState === 'visible',
    segmentId: options.segmentId,
  });
  const beat = (): void => {
    beatAtMs = performance.now() + beatEveryMs;
    onBeat(takeBeat());
  };

  const say = (state: AutoplayState): void => {
    if (autoplay !== state) options.onAutoplay(state);
    autoplay = state;
  };

  const start = async (): Promise<void> => {
    if (isStarting || isAside || isEnded()) return;
    isStarting = true;
    try {
      await video.play();
      say(video.muted ? 'muted' : 'sound');
    } catch (error) {
      // A browser plays sound only after a gesture of the viewer. Muted it plays at once.
      if ((error as DOMException).name !== 'NotAllowedError') return;
      if (video.muted) say('blocked');
      else {
        video.muted = true;
        await video.play().then(
          () => say('muted'),
          () => say('blocked'),
        );
      }
    } finally {
      isStarting = false;
    }
  };

  const place = (): void => {
    // A viewer who has seen the end begins again.
    const ownStart = startSeconds < video.duration - 1 ? startSeconds : 0;
    const to = livePosition ? Math.min(livePosition(), video.duration) : ownStart;
    if (to > 0.5) video.currentTime = to;
    isPlaced = true;
    void start();
  };

  const tick = (): void => {
    const nowMs = performance.now();
    if (isPlaced && !video.paused && !video.seeking) {
      played.progress(video.currentTime, nowMs);
      if (livePosition && video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA)
        keepLive(livePosition(), nowMs);
    }
    if (isLive && isPlaced && video.paused && autoplay !== 'blocked' && !isEnded()) void start();
    if (nowMs >= beatAtMs) beat();
  };

  const keepLive = (targetSeconds: number, nowMs: number): void => {
    const target = Math.min(targetSeconds, video.duration);
    const correction = correct({
      positionSeconds: video.currentTime,
      targetSeconds: target,
      rate: video.playbackRate,
    });
    if (correction.type === 'rate') {
      if (video.playbackRate !== correction.rate) video.playbackRate = correction.rate;
    } else if (pauses.maySeek(nowMs)) {
      pauses.noteSeek(nowMs);
      video.playbackRate = 1;
      video.currentTime = correction.toSeconds;
    }
  };

  const on = (type: string, listener: () => void): void =>
    video.addEventListener(type, listener, { signal: aborter.signal });
  on('loadedmetadata', place);
  on('playing', () => played.progress(video.currentTime, performance.now()));
  on('seeking', () => {
    played.cut();
    // The seeks that this page makes itself are not reported.
    if (!isLive) beat();
  });
  on('pause', () => {
    if (isPlaced && !video.seeking) played.progress(video.currentTime, performance.now());
    played.cut();
    if (!video.ended) beat();
  });
  on('ended', () => {
    played.progress(video.currentTime, performance.now());
    played.cut();
    beat();
    options.onEnded();
  });
  on('volumechange', () => {
    if (!video.paused) say(video.muted ? 'muted' : 'sound');
  });
  const onVisibility = (): void => {
    beat();
    if (document.visibilityState === 'visible') tick();
  };
  document.addEventListener('visibilitychange', onVisibility, { signal: aborter.signal });
  video.muted = options.startsMuted;
  if (video.readyState >= HTMLMediaElement.HAVE_METADATA) place();
  const timer = setInterval(tick, tickMs);

  return {
    position,
    takeBeat,
    startWithSound() {
      video.muted = false;
      if (video.volume === 0) video.volume = 1;
      autoplay = undefined;
      void start();
    },
    seek(seconds) {
      video.currentTime = seconds;
    },
    setAside(aside) {
      if (isAside === aside) return;
      isAside = aside;
      if (aside) video.pause();
      else {
        if (livePosition) video.currentTime = Math.min(livePosition(), video.duration || 0);
        void start();
      }
    },
    destroy() {
      clearInterval(timer);
      aborter.abort();
      // Seconds that no heartbeat has reported yet.
      const last = takeBeat();
      if (last.intervals.length > 0) onBeat({ ...last, state: isEnded() ? 'ended' : 'paused' });
    },
  };
}
