// The heartbeats of a room, and the position at which its player begins.
import { useEffect, useEffectEvent } from 'react';
import type { Beat } from './heartbeat-queue.ts';
import type { PlayerHandle } from './player.tsx';
import { useRoom } from './room-context.ts';

interface Heartbeats {
  beat(beat: Beat): void;
  /** Reports the present state of the player. */
  beatNow(): void;
  /** The same, once the service has recorded what the attendee does now. */
  beatSoon(): void;
}

const soonMs = 800;
const presenceMs = 10_000;

/** Sends what the player reports, a last heartbeat when the page goes away, and one each ten seconds in a room without a video. */
export function useHeartbeats(
  player: { current: PlayerHandle | null },
  { hasVideo, positionSeconds }: { hasVideo: boolean; positionSeconds: number },
): Heartbeats {
  const { session } = useRoom();
  const replay = useReplayPosition();

  const leave = useEffectEvent(() => {
    const last = player.current?.takeBeat();
    if (!last) return;
    replay.keep(last.playheadSeconds);
    session.leave({ ...last, state: last.state === 'ended' ? 'ended' : 'paused', visible: false });
  });
  useEffect(() => {
    const onHide = (): void => leave();
    addEventListener('pagehide', onHide);
    return () => removeEventListener('pagehide', onHide);
  }, []);

  const reportPresence = useEffectEvent(() =>
    session.beat({
      playheadSeconds: positionSeconds,
      intervals: [],
      state: 'paused',
      visible: document.visibilityState === 'visible',
    }),
  );
  useEffect(() => {
    if (hasVideo) return undefined;
    reportPresence();
    const timer = setInterval(() => reportPresence(), presenceMs);
    return () => clearInterval(timer);
  }, [hasVideo]);

  const beat = (one: Beat): void => {
    replay.keep(one.playheadSeconds);
    session.beat(one);
  };
  const beatNow = (): void => {
    if (player.current) beat(player.current.takeBeat());
  };
  return { beat, beatNow, beatSoon: () => void setTimeout(beatNow, soonMs) };
}

/** The position in seconds at which the player of the present visit begins. */
export function useStartSeconds(): number {
  const { visit, path, session } = useRoom().room;
  const replay = useReplayPosition();
  // The visit says the position in the segment that it began with.
  return replay.read() ?? (path?.segmentId === visit.path?.segmentId ? session.positionSeconds : 0);
}

/**
 * The position in a replay, which a page in the same tab keeps when it is loaded again: for the service, each visit of a replay begins
 * at the start. Not for an adaptive webinar, in which a position belongs to a segment.
 */
function useReplayPosition(): { read(): number | undefined; keep(seconds: number): void } {
  const { visit, path, session } = useRoom().room;
  const key = `room-replay ${visit.webinar.id} ${session.startsAt}`;
  const isKept = session.isReplay && path === null;
  return {
    read() {
      const kept = isKept ? sessionStorage.getItem(key) : null;
      return kept === null ? undefined : Number(kept);
    },
    keep(seconds) {
      if (isKept) sessionStorage.setItem(key, String(seconds));
    },
  };
}
