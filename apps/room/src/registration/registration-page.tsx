import type { WebinarPage } from '@service/attendees';
import { splitDescription } from '@service/pages/first-paint';
import { IconCalendarOff, IconCalendarX, IconClock, IconUsersGroup } from '@service/icons';
import { useState } from 'react';
import { call } from '../page/page-call.ts';
import { Frame } from '../page/frame.tsx';
import { useLanguage, useTexts } from '../page/texts.tsx';
import type { Texts } from '../texts/en.ts';
import { localZone } from '../page/time-text.ts';
import { useReloadAt } from '../page/use-reload-at.ts';
import { Portrait, WebinarAbout } from '../page/webinar-about.tsx';
import { Confirmation } from './confirmation.tsx';
import { RegistrationForm } from './registration-form.tsx';
import styles from './registration-page.module.css';
import { useRegistration } from './use-registration.ts';

const spreadMs = 4000;

export function RegistrationPage({ first }: { first: WebinarPage }) {
  const texts = useTexts();
  const language = useLanguage();
  const [page, setPage] = useState(first);
  const { webinar, branding, slots } = page;
  const [chosen, setChosen] = useState<string>();
  const [zone, setZone] = useState(webinar.timezoneMode === 'fixed' ? webinar.timezone : localZone);

  async function reload(): Promise<WebinarPage> {
    const present = await call<WebinarPage>(`/w/${page.slug}`);
    setPage(present);
    return present;
  }

  const next = slots.find(({ kind }) => kind !== 'on_demand');
  useReloadAt(next?.startsAt ?? null, reload, { spreadMs });
  const registration = useRegistration(page, reload, texts);
  const zones = { zone, other: zone === webinar.timezone ? localZone() : webinar.timezone };
  const free = slots.filter(({ isFull }) => !isFull);
  const slot = free.find(({ startsAt }) => startsAt === chosen) ?? free[0];
  const { lead, rest } = splitDescription(webinar.description);

  if (registration.registered)
    return (
      <Frame branding={branding}>
        <Confirmation
          page={page}
          zones={zones}
          registered={registration.registered}
          onAgain={registration.forget}
        />
      </Frame>
    );
  return (
    <Frame branding={branding}>
      <div className={styles['layout']}>
        <section>
          <h1 className={styles['title']}>{webinar.title}</h1>
          <ul className={styles['facts']}>
            <li>
              <IconClock size={18} aria-hidden="true" />
              {formatDuration(webinar.durationSeconds, texts)}
            </li>
            {webinar.presenters.length > 0 && (
              <li>
                <span className={styles['faces']}>
                  {webinar.presenters.slice(0, 3).map((presenter) => (
                    <Portrait key={presenter.name} presenter={presenter} />
                  ))}
                </span>
                {new Intl.ListFormat(language).format(webinar.presenters.map(({ name }) => name))}
              </li>
            )}
          </ul>
          {lead !== '' && <p className={styles['lead']}>{lead}</p>}
          {webinar.posterUrl !== null && <img className={styles['poster']} src={webinar.posterUrl} alt="" />}
        </section>
        <section className={styles['card']}>
          {page.state === 'open' ? (
            <RegistrationForm
              page={page}
              slot={slot}
              onSlot={setChosen}
              zones={zones}
              onZone={setZone}
              registration={registration}
            />
          ) : (
            <ClosedState state={page.state} />
          )}
        </section>
        <div className={styles['more']}>
          <WebinarAbout webinar={webinar} about={rest} />
        </div>
      </div>
    </Frame>
  );
}

const stateIcons = { full: IconUsersGroup, closed: IconCalendarOff, cancelled: IconCalendarX };

function ClosedState({ state }: { state: Exclude<WebinarPage['state'], 'open'> }) {
  const { title, text } = useTexts().states[state];
  const Icon = stateIcons[state];
  return (
    <div className={styles['state']}>
      <span className={styles['icon']} aria-hidden="true">
        <Icon size={28} stroke={1.6} />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
    </div>
  );
}

function formatDuration(seconds: number, { page }: Texts): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? page.minutes(minutes) : page.hours(Math.floor(minutes / 60), minutes % 60);
}
