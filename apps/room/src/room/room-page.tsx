// The pages of an attendee while a session can be visited: the lobby, which turns into the room by itself, and the replay.
import type { PersonalPage } from '@service/attendees';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { clock, useServerTime } from '../page/clock.ts';
import { useTexts } from '../page/texts.tsx';
import { Lobby } from './lobby.tsx';
import { NextStep } from './next-step.tsx';
import { OpeningRoom, Room } from './room.tsx';
import { createRoomClient } from './room-client.ts';
import { RoomContext } from './room-context.ts';
import { createRoomSession, type RoomSession } from './room-session.ts';
import { stageAt } from './room-state.ts';
import styles from './room-page.module.css';

interface RoomPageProps {
  page: PersonalPage;
  /** Reads the page again. */
  reload(): Promise<void>;
}

export function RoomPage(props: RoomPageProps) {
  const { page } = props;
  const texts = useTexts().room;
  // An attendee of the session, for which the replay has begun, decides whether to watch it.
  const [wantsReplay, setWantsReplay] = useState(page.phase === 'replay');
  if (page.phase !== 'replay' || wantsReplay) return <Visit key={String(wantsReplay)} {...props} />;
  return (
    <main className={styles['opening']}>
      <h1 className={styles['title']}>{texts.ended}</h1>
      <NextStep page={page} />
      <button type="button" className="button-quiet" onClick={() => setWantsReplay(true)}>
        {texts.watchReplay}
      </button>
    </main>
  );
}

function Visit({ page, reload }: RoomPageProps) {
  const texts = useTexts().room;
  const [session] = useState(() => createRoomSession(createRoomClient(location.pathname, clock)));
  const { room, failure, isOver } = useSyncExternalStore(session.subscribe, session.getSnapshot);
  useLifeOf(session);
  const stage = useServerTime((nowMs) => room && stageAt(room, nowMs));
  const isClosed = failure?.code === 'room_closed';
  const isEnded = (isOver && !isClosed) || stage === 'over';
  useReloadOf(reload, isEnded);

  if (isEnded || (failure && !room))
    return (
      <main className={styles['opening']}>
        {!isClosed && <span className="spinner" aria-hidden />}
        <p role="status">{isClosed ? texts.closed : isEnded ? texts.ended : texts.full}</p>
      </main>
    );
  const isWaiting = room ? stage === 'waiting' : page.phase === 'lobby';
  return (
    <RoomContext value={room && { page, session, room }}>
      {isWaiting && <Lobby page={page} session={room?.session ?? page.session} isEntered={Boolean(room)} />}
      {!isWaiting && (room ? <Room /> : <OpeningRoom page={page} />)}
    </RoomContext>
  );
}

/** Enters the session, and reacts to the network and to the browser's putting the page aside. */
function useLifeOf(session: RoomSession): void {
  useEffect(() => {
    void session.open();
    const retry = (): void => session.retry();
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) session.comeBack();
    };
    addEventListener('online', retry);
    addEventListener('pageshow', comeBack);
    return () => {
      removeEventListener('online', retry);
      removeEventListener('pageshow', comeBack);
      session.close();
    };
  }, [session]);
}

const reloadFirstMs = 2000;
const reloadLastMs = 30_000;

/** Reads the page again, at different moments for the pages of a session, until it says that the session is over. */
function useReloadOf(reload: () => Promise<void>, isEnded: boolean): void {
  const read = useEffectEvent(reload);
  useEffect(() => {
    if (!isEnded) return undefined;
    let waitMs = reloadFirstMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    const wait = (): void => {
      timer = setTimeout(() => void readAgain(), waitMs * Math.random());
      waitMs = Math.min(waitMs * 2, reloadLastMs);
    };
    const readAgain = async (): Promise<void> => {
      await read().catch(() => undefined);
      if (!isStopped) wait();
    };
    wait();
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }, [isEnded]);
}
