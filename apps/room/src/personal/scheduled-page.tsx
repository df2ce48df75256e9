import type { PersonalPage } from '@service/attendees';
import { IconCalendarCheck } from '@service/icons';
import { useEffect, useId, useRef, useState } from 'react';
import { CalendarLinks } from '../page/calendar-links.tsx';
import { CallFailure, call, failureText } from '../page/page-call.ts';
import { Countdown } from '../page/countdown.tsx';
import { Frame } from '../page/frame.tsx';
import { MessageCard } from '../page/message-card.tsx';
import { SessionTime, type Zones } from '../page/session-time.tsx';
import { useLanguage, useTexts } from '../page/texts.tsx';
import { formatClock, isSameDay, localZone } from '../page/time-text.ts';
import { useReloadAt } from '../page/use-reload-at.ts';
import { TimeChoice, type Slot } from '../page/time-choice.tsx';
import { WebinarAbout } from '../page/webinar-about.tsx';
import { ZoneChoice } from '../page/zone-choice.tsx';
import styles from './scheduled-page.module.css';

const spreadMs = 500;

interface ScheduledPageProps {
  page: PersonalPage;
  reload: () => Promise<void>;
  setPage: (page: PersonalPage) => void;
}

/** The page of an attendee before the lobby opens: the time, calendars, change and cancellation. It becomes the room by itself. */
export function ScheduledPage({ page, reload, setPage }: ScheduledPageProps) {
  const texts = useTexts();
  const language = useLanguage();
  const { personal } = texts;
  const { webinar, session, attendee, branding, opensAt, changeableTo } = page;
  const [zone, setZone] = useState(localZone);
  const [open, setOpen] = useState<'change' | 'cancel'>();
  const [isMoved, setMoved] = useState(false);
  const [failure, setFailure] = useState<string>();
  useReloadAt(opensAt ?? session.startsAt, reload, { spreadMs });

  const zones = { zone, other: zone === webinar.timezone ? localZone() : webinar.timezone };
  const startMs = Date.parse(session.startsAt);
  const durationSeconds = (Date.parse(session.endsAt) - startMs) / 1000;
  const opensToday =
    opensAt !== null && isSameDay(new Date(opensAt), new Date(session.startsAt), zone)
      ? formatClock(new Date(opensAt), { zone, language })
      : undefined;

  /** Sends a change. The dialog stays open with the reason if the service refuses it. */
  async function change(path: string, body: object): Promise<boolean> {
    setFailure(undefined);
    try {
      setPage(await call<PersonalPage>(`${location.pathname}/${path}`, body));
      setOpen(undefined);
      return true;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      setFailure(failureText(error, texts));
      // The times may be other ones by now.
      if (error.isTimeGone) void reload().catch(() => undefined);
      return false;
    }
  }

  return (
    <Frame branding={branding}>
      <MessageCard
        icon={<IconCalendarCheck size={28} />}
        tone="brand"
        title={personal.greeting(attendee.name.split(/\s+/)[0]!)}
        text={opensToday === undefined ? personal.opensByItself : personal.opens(opensToday)}
      >
        <p role="status" className={styles['status']}>
          {isMoved ? personal.changed : ''}
        </p>
        <p className={styles['webinar']}>{webinar.title}</p>
        <div className={styles['time']}>
          <SessionTime {...{ startsAt: session.startsAt, durationSeconds, zones }} />
          <ZoneChoice
            zone={zone}
            webinarZone={webinar.timezone}
            at={session.startsAt}
            until={changeableTo.at(-1)?.startsAt ?? session.startsAt}
            onChange={setZone}
          />
          <Countdown until={startMs} />
        </div>
        <CalendarLinks calendar={page.calendar} />
        <div className={styles['actions']}>
          {changeableTo.length > 0 && (
            <button
              type="button"
              className="text-button"
              aria-expanded={open === 'change'}
              onClick={() => setOpen(open === 'change' ? undefined : 'change')}
            >
              {personal.change}
            </button>
          )}
          <button type="button" className="text-button" onClick={() => setOpen('cancel')}>
            {personal.cancel}
          </button>
        </div>
        {open === 'change' && (
          <ChangeSession
            slots={changeableTo}
            durationSeconds={webinar.durationSeconds}
            zones={zones}
            failure={failure}
            onSubmit={async (sessionTime) => setMoved(await change('session', { sessionTime }))}
          />
        )}
        {open === 'cancel' && (
          <CancelDialog
            failure={failure}
            onCancel={() => change('cancellation', {})}
            onClose={() => setOpen(undefined)}
          />
        )}
        {page.isTest && <p className={styles['test']}>{personal.testAttendee}</p>}
      </MessageCard>
      <div className={styles['about']}>
        <WebinarAbout webinar={webinar} about={webinar.description ?? ''} />
      </div>
    </Frame>
  );
}

interface ChangeSessionProps {
  slots: readonly Slot[];
  durationSeconds: number;
  zones: Zones;
  failure: string | undefined;
  onSubmit: (sessionTime: string) => Promise<void>;
}

function ChangeSession({ slots, durationSeconds, zones, failure, onSubmit }: ChangeSessionProps) {
  const { personal } = useTexts();
  const [chosen, setChosen] = useState<string>();
  const [isSending, setSending] = useState(false);
  const free = slots.filter(({ isFull }) => !isFull);
  const value = (free.find(({ startsAt }) => startsAt === chosen) ?? free[0])?.startsAt;

  async function submit(): Promise<void> {
    if (value === undefined || isSending) return;
    setSending(true);
    await onSubmit(value).finally(() => setSending(false));
  }

  return (
    <form
      className={styles['change']}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TimeChoice
        legend={personal.changeTitle}
        {...{ slots, durationSeconds, zones, value }}
        onChange={setChosen}
        problem={failure}
      />
      <button
        type="submit"
        className="button"
        disabled={value === undefined}
        aria-disabled={isSending || undefined}
        aria-busy={isSending || undefined}
      >
        {isSending && <span className="spinner" aria-hidden="true" />}
        {personal.changeSubmit}
      </button>
    </form>
  );
}

interface CancelDialogProps {
  failure: string | undefined;
  onCancel: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before a registration is cancelled. The browser's dialog keeps the focus inside and closes with Escape. */
function CancelDialog({ failure, onCancel, onClose }: CancelDialogProps) {
  const { personal } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isSending, setSending] = useState(false);
  const id = useId();

  useEffect(() => dialog.current?.showModal(), []);

  async function cancel(): Promise<void> {
    if (isSending) return;
    setSending(true);
    await onCancel().finally(() => setSending(false));
  }

  return (
    <dialog ref={dialog} className={styles['dialog']} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{personal.cancelTitle}</h2>
      <p className={styles['dialog-text']}>{personal.cancelText}</p>
      <div role="alert">{failure !== undefined && <p className={styles['failure']}>{failure}</p>}</div>
      <div className={styles['dialog-buttons']}>
        <button type="button" className="button-quiet" onClick={() => dialog.current?.close()}>
          {personal.keep}
        </button>
        <button
          type="button"
          className={`button ${styles['danger']}`}
          aria-disabled={isSending || undefined}
          aria-busy={isSending || undefined}
          onClick={() => void cancel()}
        >
          {isSending && <span className="spinner" aria-hidden="true" />}
          {personal.cancelSubmit}
        </button>
      </div>
    </dialog>
  );
}
