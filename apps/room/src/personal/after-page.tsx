import type { PersonalPage } from '@service/attendees';
import { IconCalendarOff, IconCalendarX, IconHeart } from '@service/icons';
import { clock } from '../page/clock.ts';
import { Frame } from '../page/frame.tsx';
import { MessageCard } from '../page/message-card.tsx';
import { SessionTime } from '../page/session-time.tsx';
import { useTexts } from '../page/texts.tsx';
import { localZone } from '../page/time-text.ts';
import styles from './after-page.module.css';

/** The page after the session, or after its cancellation, with the next step. */
export function AfterPage({ page }: { page: PersonalPage }) {
  const { personal } = useTexts();
  const { webinar, branding, session, attendee, nextStep } = page;
  const registrationUrl = `/w/${webinar.slug}`;
  const durationSeconds = (Date.parse(session.endsAt) - Date.parse(session.startsAt)) / 1000;
  const zones = { zone: localZone(), other: webinar.timezone };
  const time = (
    <div className={styles['time']}>
      <p className={styles['webinar']}>{webinar.title}</p>
      {session.kind !== 'on_demand' && (
        <SessionTime {...{ startsAt: session.startsAt, durationSeconds, zones }} />
      )}
    </div>
  );
  if (page.phase === 'cancelled') {
    const isSession = session.status === 'cancelled';
    return (
      <Frame branding={branding}>
        <MessageCard
          icon={<IconCalendarX size={28} stroke={1.6} />}
          isAnswer
          title={isSession ? personal.sessionCancelledTitle : personal.cancelledTitle}
          text={isSession ? personal.sessionCancelledText : personal.cancelledText}
        >
          {time}
          <a className="button-quiet" href={registrationUrl}>
            {personal.registerAgain}
          </a>
        </MessageCard>
      </Frame>
    );
  }
  const { availableUntil } = page.replay ?? {};
  const isReplayOver = availableUntil != null && Date.parse(availableUntil) <= clock.now();
  return (
    <Frame branding={branding}>
      <MessageCard
        icon={
          nextStep?.kind === 'offer' ? <IconHeart size={28} /> : <IconCalendarOff size={28} stroke={1.6} />
        }
        tone={nextStep?.kind === 'offer' ? 'brand' : 'quiet'}
        isAnswer
        title={personal.endedTitle(attendee.name.split(/\s+/)[0]!)}
        text={isReplayOver ? personal.replayOver : personal.endedText}
      >
        {time}
        {nextStep?.kind === 'offer' && (
          <>
            <p className={styles['offer']}>{nextStep.headline}</p>
            <a className="button" href={nextStep.clickUrl} target="_blank" rel="noreferrer">
              {nextStep.buttonLabel}
            </a>
          </>
        )}
        {nextStep?.kind === 'next_session' && (
          <a className="button" href={nextStep.url}>
            {personal.nextSession}
          </a>
        )}
      </MessageCard>
    </Frame>
  );
}
