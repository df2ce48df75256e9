// The page of an attendee while a session can be visited: the lobby, which turns into the room by itself, and the replay.
import type { PersonalPage } from '@service/attendees';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { clock, useNow } from '../page/clock.ts';
import { useTexts } from '../page/texts.tsx';
import { Lobby } from './lobby.tsx';
import { Room } from './room.tsx';
import { createRoomApi } from './room-api.ts';
import { RoomContext } from './room-context.ts';
import { createRoomSession, type RoomSession } from './room-session.ts';
import { stageAt } from './session-phase.ts';
import styles from './room-page.module.css';

interface RoomPageProps {
  page: PersonalPage;
  /** The session is over or the link is not valid any more: the personal page says what comes next. */
  onOver(): void;
}

export function RoomPage({ page, onOver }: RoomPageProps) {
  const texts = useTexts().room;
  const [session] = useState(() => createRoomSession(createRoomApi(location.pathname, clock)));
  const { room, failure, isOver } = useSyncExternalStore(session.subscribe, session.getSnapshot);
  const nowMs = useNow();
  useLifeOf(session);
  const stage = room && stageAt(room, nowMs);
  const isEnded = isOver || stage === 'over';
  useEffect(() => {
    if (isEnded) onOver();
    // Told once: the caller reads the page again.
  }, [isEnded]); // oxlint-disable-line react/exhaustive-deps

  if (!room || isEnded)
    return (
      <main className={styles['opening']}>
        <span className="spinner" aria-hidden />
        <p role="status">{isEnded ? texts.ended : failure ? texts.full : texts.entering}</p>
      </main>
    );
  return (
    <RoomContext value={{ page, session, room }}>
      {stage === 'waiting' ? <Lobby /> : <Room />}
    </RoomContext>
  );
}

/** Enters the session, and reacts to the network and to the browser's putting the page aside. */
function useLifeOf(session: RoomSession): void {
  const isEntered = useRef(false);
  useEffect(() => {
    if (!isEntered.current) void session.enter();
    isEntered.current = true;
    const retry = (): void => session.retry();
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) session.comeBack();
    };
    addEventListener('online', retry);
    addEventListener('pageshow', comeBack);
    return () => {
      removeEventListener('online', retry);
      removeEventListener('pageshow', comeBack);
    };
  }, [session]);
  useEffect(() => () => session.close(), [session]);
}
