// The video with its controls. In simulated live there is no pause and no seeking: all attendees see the same moment.
import {
  MediaCaptionsButton,
  MediaControlBar,
  MediaController,
  MediaFullscreenButton,
  MediaLoadingIndicator,
  MediaMuteButton,
  MediaPipButton,
  MediaPlaybackRateButton,
  MediaPlayButton,
  MediaSeekBackwardButton,
  MediaSeekForwardButton,
  MediaTimeDisplay,
  MediaTimeRange,
  MediaVolumeRange,
} from 'media-chrome/react';
import { De } from 'media-chrome/lang/de';
import { En } from 'media-chrome/lang/en';
import { addTranslation } from 'media-chrome/utils/i18n';
import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type Ref,
} from 'react';
import { useLanguage, useTexts } from '../page/texts.tsx';
import { attachSource, loadCaptions } from './attach-source.ts';
import type { Beat } from './heartbeat-queue.ts';
import { MutedIcon, PlayIcon } from './icons.tsx';
import { createPlayerDriver, type AutoplayState, type PlayerDriver } from './player-driver.ts';
import styles from './player.module.css';

export interface PlayerProps {
  ref: Ref<PlayerHandle>;
  url: string;
  isHls: boolean;
  posterUrl: string | null;
  captionsUrl: string | null;
  /** The live position in seconds. Undefined when each viewer has a position of their own. */
  livePosition: (() => number) | undefined;
  /** The position in the first segment, in seconds. Later segments begin at their start. */
  startSeconds: number;
  segmentId: string | undefined;
  canSeek: boolean;
  /** True while another tab plays. */
  isAside: boolean;
  /** The element that fills the screen, with what lies over the video. */
  fullscreenElement: HTMLElement | null;
  onBeat(beat: Beat): void;
  onEnded(): void;
}

export interface PlayerHandle {
  position(): number;
  takeBeat(): Beat;
  seek(seconds: number): void;
  restart(): void;
}

/** The name of the button for the speed has the text that the button shows, such as `1x` (WCAG 2.5.3). */
for (const [language, texts] of Object.entries({ de: De, en: En })) {
  const name = 'Playback rate {playbackRate}';
  addTranslation(language, { ...texts, [name]: `${texts[name]}x` });
}

/** A viewer who turned the sound off finds it off after a reload. */
const mutedKey = 'room-muted';

export function Player(props: PlayerProps) {
  const { ref, url, isHls, segmentId, livePosition, isAside, captionsUrl, canSeek } = props;
  const language = useLanguage();
  const texts = useTexts().room;
  const videoRef = useRef<HTMLVideoElement>(null);
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const driverRef = useRef<PlayerDriver>(undefined);
  /** The segment that played last, and the position in it: a player that is made after an error goes on from there. */
  const lastRef = useRef({ segmentId, seconds: props.startSeconds });
  const [autoplay, setAutoplay] = useState<AutoplayState>('sound');
  const [isFrozen, setFrozen] = useState(false);
  const [failures, setFailures] = useState(0);
  const [failedAttempt, setFailedAttempt] = useState<string>();
  const attempt = `${segmentId} ${url} ${failures}`;
  const isFailed = failedAttempt === attempt;
  const captions = useCaptions(captionsUrl);
  const isLive = livePosition !== undefined;

  const onBeat = useEffectEvent(props.onBeat);
  const onEnded = useEffectEvent(props.onEnded);
  const readLive = useEffectEvent(() => props.livePosition?.() ?? 0);
  const readAside = useEffectEvent(() => isAside);

  // A layout effect, so that the last picture is shown in the same frame in which the former video goes.
  useLayoutEffect(() => {
    const video = videoRef.current!;
    const canvas = canvasRef.current!;
    const fail = (): void => setFailedAttempt(attempt);
    const detach = attachSource(video, { url, isHls }, fail);
    const driver = createPlayerDriver({
      video,
      livePosition: isLive ? () => readLive() : undefined,
      startSeconds: lastRef.current.segmentId === segmentId ? lastRef.current.seconds : 0,
      segmentId,
      startsMuted: sessionStorage.getItem(mutedKey) === 'true',
      startsAside: readAside(),
      onBeat: (beat) => onBeat(beat),
      onAutoplay: setAutoplay,
      onEnded: () => onEnded(),
    });
    driverRef.current = driver;
    const thaw = (): void => setFrozen(false);
    video.addEventListener('error', fail);
    video.addEventListener('playing', thaw);
    return () => {
      video.removeEventListener('error', fail);
      video.removeEventListener('playing', thaw);
      // The last picture stays until the next video plays, so that the change of a segment shows no black frame.
      setFrozen(drawFrame(video, canvas));
      lastRef.current = { segmentId, seconds: driver.position() };
      driver.destroy();
      detach();
    };
  }, [attempt, url, isHls, segmentId, isLive]);

  useEffect(() => driverRef.current?.setAside(isAside), [isAside]);

  useEffect(() => {
    if (!isFailed) return undefined;
    const timer = setTimeout(() => setFailures((count) => count + 1), Math.min(2000 * 2 ** failures, 30_000));
    return () => clearTimeout(timer);
  }, [isFailed, failures]);

  useImperativeHandle(ref, () => ({
    position: () => driverRef.current!.position(),
    takeBeat: () => driverRef.current!.takeBeat(),
    seek: (seconds) => driverRef.current!.seek(seconds),
    restart() {
      driverRef.current!.seek(0);
      driverRef.current!.startWithSound();
    },
  }));

  const startWithSound = (): void => driverRef.current?.startWithSound();
  return (
    <div className={styles['player']} data-live={isLive} data-frozen={isFrozen}>
      <MediaController
        className={styles['controller']}
        lang={language}
        fullscreenElement={props.fullscreenElement ?? undefined}
        noHotkeys={!canSeek}
        gesturesDisabled={isLive}
        aria-label={texts.video}
      >
        {/* The captions are in the track, once they are loaded. */}
        <video
          ref={videoRef}
          slot="media"
          playsInline
          preload="auto"
          poster={props.posterUrl ?? undefined}
          onVolumeChange={({ currentTarget }) => {
            if (currentTarget.paused) return;
            sessionStorage.setItem(mutedKey, String(currentTarget.muted && autoplay === 'sound'));
          }}
        >
          {captions !== undefined && (
            <track kind="captions" src={captions} srcLang={language} label={texts.captions} />
          )}
        </video>
        {/* The icon of media-chrome moves even while it is hidden, which costs 60 layouts a second. */}
        <MediaLoadingIndicator slot="centered-chrome" noAutohide>
          <span slot="icon" className={`spinner ${styles['loading']}`} />
        </MediaLoadingIndicator>
        {canSeek && (
          <MediaControlBar className={styles['bar']}>
            <MediaTimeRange />
          </MediaControlBar>
        )}
        <MediaControlBar className={styles['bar']}>
          {!isLive && <MediaPlayButton />}
          {canSeek && <MediaSeekBackwardButton seekOffset={10} />}
          {canSeek && <MediaSeekForwardButton seekOffset={10} />}
          <MediaMuteButton />
          <MediaVolumeRange />
          {canSeek && <MediaTimeDisplay showDuration noToggle />}
          <span className={styles['space']} />
          {canSeek && <MediaPlaybackRateButton rates={[1, 1.25, 1.5, 1.75, 2, 0.75]} />}
          {captions !== undefined && <MediaCaptionsButton ref={makeSwitch} />}
          <MediaPipButton />
          <MediaFullscreenButton />
        </MediaControlBar>
      </MediaController>
      <canvas ref={canvasRef} className={styles['frame']} hidden={!isFrozen} />
      {autoplay === 'muted' && !isAside && (
        <button type="button" className={styles['sound']} onClick={startWithSound}>
          <MutedIcon size={20} />
          {texts.tapForSound}
        </button>
      )}
      {autoplay === 'blocked' && !isAside && (
        <button type="button" className={styles['start']} onClick={startWithSound} aria-label={texts.play}>
          <PlayIcon size={36} />
        </button>
      )}
      {isFailed && (
        <div className={styles['failed']} role="alert">
          <p>{texts.videoFailed}</p>
          <button type="button" className="button-quiet" onClick={() => setFailures((count) => count + 1)}>
            {texts.tryAgain}
          </button>
        </div>
      )}
    </div>
  );
}

/** The button says with `aria-checked` whether the captions are on, which only a switch may. */
const makeSwitch = (button: HTMLElement | null): void => button?.setAttribute('role', 'switch');

function useCaptions(url: string | null): string | undefined {
  const [loaded, setLoaded] = useState<{ from: string; made: string | undefined }>();
  useEffect(() => {
    if (url === null) return undefined;
    const aborter = new AbortController();
    let made: string | undefined;
    const load = async (): Promise<void> => {
      made = await loadCaptions(url, aborter.signal);
      if (!aborter.signal.aborted) setLoaded({ from: url, made });
      else if (made !== undefined) URL.revokeObjectURL(made);
    };
    void load();
    return () => {
      aborter.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [url]);
  return loaded?.from === url ? loaded?.made : undefined;
}

/** Draws the present picture. False when there is none. */
function drawFrame(video: HTMLVideoElement, canvas: HTMLCanvasElement): boolean {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return false;
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return true;
}
