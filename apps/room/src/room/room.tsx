// The room: the video with what lies over it, and the panel beside it.
import type { PersonalPage } from '@service/attendees';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { clock } from '../page/clock.ts';
import { Brand } from '../page/frame.tsx';
import { useTexts } from '../page/texts.tsx';
import { BranchPromptCard } from './branch-prompt.tsx';
import {
  announceNew,
  dueInteractions,
  isCard,
  placeInteractions,
  recordedMessages,
  type Announced,
} from './due-interactions.ts';
import { kindIcons } from './icons.tsx';
import { InteractionCard } from './interaction-card.tsx';
import { livePosition } from './live-sync.ts';
import { Player, type PlayerHandle } from './player.tsx';
import { NextStep } from './next-step.tsx';
import type { ChatMessage, Interaction } from './protocol.ts';
import { useRoom } from './room-context.ts';
import { SidePanel } from './side-panel.tsx';
import { useHeartbeats, useStartSeconds } from './use-heartbeats.ts';
import styles from './room.module.css';

export function Room() {
  const { page, room } = useRoom();
  const texts = useTexts().room;
  const playerRef = useRef<PlayerHandle>(null);
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  const [isFinished, setFinished] = useState(false);
  const { isAside, takeOver } = useTabWatch(location.pathname);
  const read = useReadPosition();
  const startSeconds = useStartSeconds();
  const positionSeconds = usePosition(() => playerRef.current?.position() ?? read?.() ?? startSeconds);
  const video = useVideo();
  const canSeek = room.visit.webinar.seekAllowed && read === undefined;
  const segmentId = room.path?.segmentId;

  const closed = useClosed();
  const allDue = dueInteractions(room.interactions, { positionSeconds, segmentId });
  const due = allDue.filter(isCard);
  const recorded = useRecorded(allDue, useVideoStart(positionSeconds));
  const { popup, banner, panel } = placeInteractions(due, closed.ids);
  const minimised = due.filter(({ id, display }) => closed.minimisedIds.has(id) && display !== 'panel');

  const { beat, beatNow, beatSoon } = useHeartbeats(playerRef, {
    hasVideo: video !== undefined,
    positionSeconds,
  });
  useFollow(playerRef);
  /** The button that has the focus disappears with its card: the video gets the focus. */
  const closing = (close: () => void) => (): void => {
    close();
    stage?.focus({ preventScroll: true });
  };

  const endSegment = (): void => {
    if (room.path === null || room.path.isTerminal) setFinished(read === undefined);
  };

  return (
    <main className={styles['room']}>
      <Head page={page} isReplay={room.session.isReplay} />
      <div className={styles['main']}>
        <div
          ref={setStage}
          className={styles['stage']}
          role="group"
          aria-label={texts.video}
          tabIndex={-1}
          data-seek={canSeek}
        >
          <div className={styles['screen']}>
            {video ? (
              <Player
                ref={playerRef}
                key={room.visit.visitId}
                {...video}
                segmentId={segmentId}
                livePosition={read}
                startSeconds={startSeconds}
                canSeek={canSeek}
                isAside={isAside}
                fullscreenElement={stage}
                onBeat={beat}
                onEnded={endSegment}
              />
            ) : (
              <p className={styles['missing']}>{texts.videoMissing}</p>
            )}
            {isAside && (
              <div className={styles['aside']}>
                <p>{texts.elsewhere}</p>
                <button type="button" className="button" onClick={takeOver}>
                  {texts.playHere}
                </button>
              </div>
            )}
            {isFinished && (
              <Finished
                onAgain={() => {
                  setFinished(false);
                  playerRef.current?.restart();
                }}
              />
            )}
            <BranchPromptCard positionSeconds={positionSeconds} onBeforeMove={beatNow} />
            <Trouble />
          </div>
          {popup && (
            <div className={styles['popup']} key={popup.id}>
              <InteractionCard
                interaction={popup}
                positionSeconds={positionSeconds}
                onClose={popup.dismissible ? closing(() => closed.close(popup.id)) : undefined}
                onMinimise={closing(() => closed.minimise(popup.id))}
                onUsed={beatSoon}
              />
            </div>
          )}
        </div>
        {banner && (
          <div className={styles['banner']} key={banner.id}>
            <InteractionCard
              interaction={banner}
              positionSeconds={positionSeconds}
              layout="banner"
              onClose={banner.dismissible ? closing(() => closed.close(banner.id)) : undefined}
              onUsed={beatSoon}
            />
          </div>
        )}
        {minimised.length > 0 && (
          <ul className={styles['chips']}>
            {minimised.map(({ id, type, headline }) => {
              const Icon = kindIcons[type];
              return (
                <li key={id}>
                  <button
                    type="button"
                    className={styles['chip']}
                    onClick={closing(() => closed.open(id))}
                    aria-label={texts.items.open(headline)}
                  >
                    <Icon size={16} />
                    <span>{headline}</span>
                  </button>
                </li>
              );
            })}
          </ul>
        )}
        <Announcement due={due} />
        <Preloads />
      </div>
      <SidePanel items={panel} recorded={recorded} positionSeconds={positionSeconds} onUsed={beatSoon} />
    </main>
  );
}

/** The room until the service has answered: the picture is where the video will be. */
export function OpeningRoom({ page }: { page: PersonalPage }) {
  const texts = useTexts().room;
  const { posterUrl } = page.webinar;
  return (
    <main className={styles['room']}>
      <Head page={page} isReplay={page.phase === 'replay'} />
      <div className={styles['main']}>
        <div className={styles['stage']}>
          <div className={styles['screen']}>
            {posterUrl !== null && <img className={styles['poster']} src={posterUrl} alt="" />}
            <p className={styles['opening']} role="status">
              <span className="spinner" aria-hidden />
              {texts.entering}
            </p>
          </div>
        </div>
      </div>
      <div className={styles['panel']} />
    </main>
  );
}

function Head({ page, isReplay }: { page: PersonalPage; isReplay: boolean }) {
  const texts = useTexts().room;
  const isLive = !isReplay && page.session.kind !== 'on_demand';
  return (
    <header className={styles['head']}>
      <Brand branding={page.branding} />
      <h1 className={styles['title']}>{page.webinar.title}</h1>
      {page.isTest && <span className={styles['test']}>{texts.test}</span>}
      <span className={styles['badge']} data-live={isLive}>
        {isReplay ? texts.replay : isLive ? texts.live : texts.onDemand}
      </span>
    </header>
  );
}

/** Reads the live position. Undefined when this attendee has a position of their own. */
function useReadPosition(): (() => number) | undefined {
  const { session, visit } = useRoom().room;
  const { pace, isReplay, startsAt } = session;
  const { durationSeconds } = visit.webinar;
  return useMemo(() => {
    if (isReplay || pace !== 'shared') return undefined;
    const startsAtMs = Date.parse(startsAt);
    return () => livePosition({ startsAtMs, nowMs: clock.now(), durationSeconds });
  }, [pace, isReplay, startsAt, durationSeconds]);
}

/** The position in whole seconds, which is as exact as the times of interactions. */
function usePosition(read: () => number): number {
  const [seconds, setSeconds] = useState(() => Math.floor(read()));
  const readNow = useEffectEvent(read);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor(readNow() + 0.05)), 250);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

/** The time at which the video was at its start. It stays while the page plays, so that the times of recorded messages stay. */
function useVideoStart(positionSeconds: number): number {
  const { session } = useRoom().room;
  const [openedMs] = useState(() => clock.now() - positionSeconds * 1000);
  return session.pace === 'shared' ? Date.parse(session.startsAt) : openedMs;
}

/** The recorded messages among the interactions that are due. A message is one object for as long as its interaction is. */
function useRecorded(due: readonly { id: string }[], videoStartMs: number): readonly ChatMessage[] {
  const { interactions } = useRoom().room;
  const messageById = useMemo(
    () => new Map(recordedMessages(interactions, videoStartMs).map((message) => [message.id, message])),
    [interactions, videoStartMs],
  );
  return due.flatMap(({ id }) => messageById.get(id) ?? []);
}

/** The video to play: that of the segment in an adaptive webinar. */
function useVideo():
  | { url: string; isHls: boolean; posterUrl: string | null; captionsUrl: string | null }
  | undefined {
  const { visit, path } = useRoom().room;
  const { video } = visit.webinar;
  const url = path?.videoUrl ?? video?.url;
  if (url === undefined) return undefined;
  const isHls = path?.videoUrl ? /\.m3u8($|\?)/i.test(path.videoUrl) : video?.source === 'hls';
  return {
    url,
    isHls,
    posterUrl: video?.posterUrl ?? null,
    captionsUrl: path?.videoUrl ? null : (video?.captionsUrl ?? null),
  };
}

/** The interactions that this attendee has closed or minimised on this page. */
function useClosed() {
  const [closedIds, setClosedIds] = useState<ReadonlySet<string>>(new Set());
  const [minimisedIds, setMinimisedIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids: useMemo(() => new Set([...closedIds, ...minimisedIds]), [closedIds, minimisedIds]),
    minimisedIds,
    close: (id: string): void => setClosedIds((ids) => new Set([...ids, id])),
    minimise: (id: string): void => setMinimisedIds((ids) => new Set([...ids, id])),
    open: (id: string): void => setMinimisedIds((ids) => new Set([...ids].filter((one) => one !== id))),
  };
}

/** Follows the position that the host sets. */
function useFollow(player: { current: PlayerHandle | null }): void {
  const { led } = useRoom().room;
  const count = led?.count;
  const positionSeconds = led?.positionSeconds;
  const firstRef = useRef(count);
  useEffect(() => {
    // The first one was known when the page began to play.
    if (count === undefined || positionSeconds === undefined || count === firstRef.current) return;
    player.current?.seek(positionSeconds);
  }, [count, positionSeconds, player]);
}

function Trouble() {
  const { session } = useRoom();
  const texts = useTexts().room;
  const isTroubled = useTroubled(session);
  return (
    <p className={styles['trouble']} role="status" hidden={!isTroubled}>
      {isTroubled && texts.trouble}
    </p>
  );
}

const troubleAfterMs = 3000;

/** True when calls have not got through for some seconds. */
function useTroubled(session: ReturnType<typeof useRoom>['session']): boolean {
  const [isTroubled, setTroubled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      if (!session.getSnapshot().isTroubled) {
        clearTimeout(timer);
        timer = undefined;
        setTroubled(false);
      } else timer ??= setTimeout(() => setTroubled(true), troubleAfterMs);
    };
    look();
    const stop = session.subscribe(look);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [session]);
  return isTroubled;
}

function Finished({ onAgain }: { onAgain: () => void }) {
  const { page, room } = useRoom();
  const texts = useTexts().room;
  return (
    <div className={styles['finished']}>
      <h2>{texts.finished}</h2>
      <div className={styles['steps']}>
        <NextStep page={page} />
        {room.path === null && (
          <button type="button" className="button-quiet" onClick={onAgain}>
            {texts.watchAgain}
          </button>
        )}
      </div>
    </div>
  );
}

/** Says to screen readers that an interaction has appeared. */
function Announcement({ due }: { due: readonly Interaction[] }) {
  const texts = useTexts().room.items;
  const [announced, setAnnounced] = useState<Announced>(() => ({
    seenIds: new Set(due.map(({ id }) => id)),
    headline: undefined,
  }));
  const present = announceNew(announced, due);
  if (present !== announced) setAnnounced(present);
  const { headline } = present;
  return (
    <p className="visually-hidden" role="status">
      {headline !== undefined && texts.newItem(headline)}
    </p>
  );
}

/**
 * `isAside` is true while a newer tab with the same link plays, and `takeOver` plays here again. Two tabs would be heard twice, and
 * neither would earn more watch time.
 */
function useTabWatch(link: string): { isAside: boolean; takeOver: () => void } {
  const [isAside, setAside] = useState(false);
  const channelRef = useRef<BroadcastChannel>(undefined);
  useEffect(() => {
    const channel = new BroadcastChannel(`room ${link}`);
    channelRef.current = channel;
    channel.addEventListener('message', () => setAside(true));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
    channel.postMessage('playing');
    return () => channel.close();
  }, [link]);
  return {
    isAside,
    takeOver() {
      setAside(false);
      channelRef.current?.postMessage('playing');
    },
  };
}

/** Loads the beginning of the videos that may follow. */
function Preloads() {
  const { path } = useRoom().room;
  return path?.nextVideoUrls
    .slice(0, preloadsMax)
    .map((url) => <video key={url} src={url} preload="auto" muted hidden />);
}

const preloadsMax = 3;
