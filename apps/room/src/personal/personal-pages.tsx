import type { PersonalPage, PersonalPageData } from '@service/attendees';
import { useState, type ReactNode } from 'react';
import { applyBrand } from '../page/brand.ts';
import { CallFailure, call } from '../page/page-call.ts';
import { noteNavigation } from '../page/clock.ts';
import { LanguageProvider } from '../page/texts.tsx';
import { AfterPage } from './after-page.tsx';
import { RefusedPage } from './refused-page.tsx';
import { ScheduledPage } from './scheduled-page.tsx';

export interface RoomProps {
  page: PersonalPage;
  /** Reads the page again, after its phase has changed. */
  reload: () => Promise<void>;
}

interface PersonalPagesProps {
  data: PersonalPageData;
  /** The lobby, the live room and the replay. */
  renderRoom: (props: RoomProps) => ReactNode;
}

/** The pages behind one join link, by the phase of the attendee's session. */
export function PersonalPages({ data, renderRoom }: PersonalPagesProps) {
  const [current, setCurrent] = useState(data);
  const page = 'page' in current ? current.page : undefined;

  async function reload(): Promise<void> {
    try {
      setCurrent({ page: await call<PersonalPage>(location.pathname) });
    } catch (error) {
      if (!(error instanceof CallFailure) || error.code !== 'join_link_expired') throw error;
      setCurrent({ refusal: { code: 'join_link_expired' } });
    }
  }

  return (
    <LanguageProvider locale={page?.locale ?? navigator.language}>
      {'refusal' in current ? (
        <RefusedPage code={current.refusal.code} />
      ) : (
        <PageOfPhase
          page={current.page}
          {...{ reload, renderRoom, setPage: (page) => setCurrent({ page }) }}
        />
      )}
    </LanguageProvider>
  );
}

interface PageOfPhaseProps extends RoomProps, Pick<PersonalPagesProps, 'renderRoom'> {
  setPage: (page: PersonalPage) => void;
}

function PageOfPhase({ page, reload, setPage, renderRoom }: PageOfPhaseProps) {
  const { phase } = page;
  if (phase === 'scheduled') return <ScheduledPage {...{ page, reload, setPage }} />;
  if (phase === 'ended' || phase === 'cancelled') return <AfterPage page={page} />;
  return renderRoom({ page, reload });
}

/** Sets the clock and the colours by the data of the page. */
export function preparePage(data: PersonalPageData): void {
  if (!('page' in data)) return;
  noteNavigation(data.page.serverNow);
  applyBrand(data.page.branding.color);
}
