import type { PersonalPage } from '@service/attendees';
import { useEffect, useState } from 'react';
import { Countdown } from '../page/countdown.tsx';
import { clock } from '../page/clock.ts';
import { Brand } from '../page/frame.tsx';
import { useLanguage, useTexts } from '../page/texts.tsx';
import { WebinarAbout } from '../page/webinar-about.tsx';
import { formatDay, formatRange, localZone, nameZone } from '../page/time-text.ts';
import { CheckIcon, SoundIcon } from './icons.tsx';
import { useRoom } from './room-context.ts';
import styles from './lobby.module.css';

interface LobbyProps {
  page: PersonalPage;
  /** The times of the session. */
  session: Pick<PersonalPage['session'], 'startsAt' | 'endsAt'>;
  /** True once the visit has begun. */
  isEntered: boolean;
}

/** The minutes before the start. The room replaces it at the start, by the server's clock. */
export function Lobby({ page, session, isEntered }: LobbyProps) {
  const texts = useTexts().room.lobby;
  const { title, description, posterUrl } = page.webinar;
  return (
    <div className={styles['lobby']}>
      <header className={styles['head']}>
        <Brand branding={page.branding} />
        {page.isTest && <TestNote />}
      </header>
      <main className={styles['main']}>
        <div>
          <p className={styles['hello']}>{texts.hello(page.attendee.name)}</p>
          <h1 className={styles['title']}>{title}</h1>
          <When session={session} />
          {description !== null && <p className={styles['description']}>{description}</p>}
          <div className={styles['about']}>
            <WebinarAbout webinar={page.webinar} about="" />
          </div>
        </div>
        <div className={styles['card']}>
          {posterUrl !== null && <img className={styles['poster']} src={posterUrl} alt="" />}
          <div className={styles['inside']}>
            <h2 className={styles['starts']}>{texts.startsIn}</h2>
            <Countdown until={Date.parse(session.startsAt)} />
            <p className={styles['note']}>{texts.byItself}</p>
            <SoundCheck />
          </div>
        </div>
      </main>
      {isEntered && <Preload />}
    </div>
  );
}

function TestNote() {
  return <p className={styles['test']}>{useTexts().room.test}</p>;
}

function When({ session }: Pick<LobbyProps, 'session'>) {
  const style = { zone: localZone(), language: useLanguage() };
  const [from, to] = [new Date(session.startsAt), new Date(session.endsAt)];
  return (
    <p className={styles['when']}>
      {formatDay(from, style, new Date(clock.now()))}, {formatRange(from, to, style)}
      <span className={styles['zone']}>{nameZone(from, style)}</span>
    </p>
  );
}

/** A gesture on this page also allows the video to start with sound. */
function SoundCheck() {
  const texts = useTexts().room.lobby;
  const [state, setState] = useState<'idle' | 'playing' | 'done'>('idle');
  const play = (): void => {
    setState('playing');
    void playTone().then(() => setState('done'));
  };
  return (
    <div className={styles['sound']}>
      <div className={styles['sound-text']}>
        <h3>{texts.soundTitle}</h3>
        <p role="status">{state === 'done' ? texts.soundDone : texts.soundHint}</p>
      </div>
      <button type="button" className="button-quiet" onClick={play} disabled={state === 'playing'}>
        {state === 'done' ? <CheckIcon size={18} /> : <SoundIcon size={18} />}
        {state === 'playing' ? texts.soundPlaying : texts.soundPlay}
      </button>
    </div>
  );
}

const toneSeconds = 0.9;

/** Two soft notes. */
async function playTone(): Promise<void> {
  const audio = new AudioContext();
  await audio.resume();
  for (const [index, hertz] of [523.25, 783.99].entries()) {
    const at = audio.currentTime + index * 0.25;
    const tone = new OscillatorNode(audio, { frequency: hertz });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.linearRampToValueAtTime(0.2, at + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.6);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.65);
  }
  await new Promise((resolve) => void setTimeout(resolve, toneSeconds * 1000));
  await audio.close();
}

const preloadSeconds = 40;

/** Begins to load the video shortly before the start. The pages of a session begin at different moments. */
function Preload() {
  const { visit, session, path } = useRoom().room;
  const [isDue, setDue] = useState(false);
  const { startsAt } = session;
  useEffect(() => {
    const waitMs = Date.parse(startsAt) - clock.now() - preloadSeconds * 1000 * Math.random();
    const timer = setTimeout(() => setDue(true), Math.min(Math.max(0, waitMs), 2 ** 31 - 1));
    return () => clearTimeout(timer);
  }, [startsAt]);
  const { video } = visit.webinar;
  const url = path?.videoUrl ?? (video?.source === 'url' ? video.url : undefined);
  return isDue && url !== undefined ? <video src={url} preload="auto" muted hidden /> : null;
}
