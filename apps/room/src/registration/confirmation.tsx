import type { RegistrationPageOutput, WebinarPage } from '@service/attendees';
import { IconCheck, IconCopy, IconMailForward } from '@service/icons';
import { useEffect, useId, useRef, useState } from 'react';
import { CalendarLinks } from '../page/calendar-links.tsx';
import { useServerTime } from '../page/clock.ts';
import { Countdown } from '../page/countdown.tsx';
import { isEmbed } from '../page/frame.tsx';
import { MessageCard } from '../page/message-card.tsx';
import { SessionTime, type Zones } from '../page/session-time.tsx';
import { useTexts } from '../page/texts.tsx';
import styles from './confirmation.module.css';
import type { Registered } from './use-registration.ts';

interface ConfirmationProps {
  page: WebinarPage;
  registered: Registered;
  zones: Zones;
  onAgain: () => void;
}

/** The page after a registration. It shows the link only if this registration has just been made. */
export function Confirmation({ page, registered, zones, onAgain }: ConfirmationProps) {
  const { confirmed } = useTexts();
  const { answer, email, name } = registered;
  if (answer.state === 'registered')
    return (
      <MessageCard
        icon={<IconCheck size={30} stroke={2.4} />}
        tone="brand"
        isAnswer
        title={confirmed.title(name.split(/\s+/)[0]!)}
        text={confirmed.linkUse}
      >
        <Place page={page} answer={answer} zones={zones} />
      </MessageCard>
    );
  return (
    <MessageCard
      icon={<IconMailForward size={28} />}
      tone="brand"
      isAnswer
      title={confirmed.byMailTitle}
      text={confirmed.byMail(email)}
    >
      <p className={styles['note']}>{confirmed.byMailNote}</p>
      <button type="button" className="text-button" onClick={onAgain}>
        {confirmed.again}
      </button>
    </MessageCard>
  );
}

/** The room opens a few minutes before the start. Its own page says when. */
const soonMs = 15 * 60_000;

function Place({
  page: { webinar },
  answer: { joinUrl, session, calendar },
  zones,
}: {
  page: WebinarPage;
  answer: Extract<RegistrationPageOutput, { state: 'registered' }>;
  zones: Zones;
}) {
  const { confirmed } = useTexts();
  const startMs = Date.parse(session.startsAt);
  const isSoon = useServerTime((nowMs) => nowMs >= startMs - soonMs);
  // Other sites may frame the registration page, but not the room.
  const target = isEmbed ? '_blank' : undefined;
  const isOnDemand = session.kind === 'on_demand';
  const durationSeconds = (Date.parse(session.endsAt) - startMs) / 1000;
  return (
    <>
      <p className={styles['webinar']}>{webinar.title}</p>
      {!isOnDemand && (
        <div className={styles['time']}>
          <SessionTime {...{ startsAt: session.startsAt, durationSeconds, zones }} />
          <Countdown until={startMs} />
        </div>
      )}
      {(isSoon || isOnDemand) && (
        <a className="button" href={joinUrl} target={target}>
          {isOnDemand ? confirmed.watch : confirmed.enter}
        </a>
      )}
      <CopyLink url={joinUrl} />
      {!isOnDemand && <CalendarLinks calendar={calendar} />}
      {!isOnDemand && (
        <a className={styles['manage']} href={joinUrl} target={target}>
          {confirmed.manage}
        </a>
      )}
    </>
  );
}

const copiedMs = 3000;

/** A link with a button that copies it. Where a browser refuses that, as in a frame, the link is selected. */
function CopyLink({ url }: { url: string }) {
  const { confirmed } = useTexts();
  const [isCopied, setCopied] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy(): Promise<void> {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      input.current?.focus();
    }
  }

  return (
    <div className={styles['link']}>
      <label className={styles['label']} htmlFor={id}>
        {confirmed.linkTitle}
      </label>
      <div className={styles['row']}>
        <input
          ref={input}
          id={id}
          className={styles['input']}
          readOnly
          value={url}
          aria-describedby={`${id}-note`}
        />
        <button type="button" className="button-quiet" onClick={() => void copy()}>
          {isCopied ? <IconCheck size={18} aria-hidden="true" /> : <IconCopy size={18} aria-hidden="true" />}
          <span aria-live="polite">{isCopied ? confirmed.copied : confirmed.copy}</span>
        </button>
      </div>
      <p id={`${id}-note`} className={styles['link-note']}>
        {confirmed.linkNote}
      </p>
    </div>
  );
}
