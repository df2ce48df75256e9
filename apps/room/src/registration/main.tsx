import '../theme/theme.css';
import '../theme/font.css';
import type { WebinarPage } from '@service/attendees';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyBrand } from '../page/brand.ts';
import { noteNavigation } from '../page/clock.ts';
import { Frame, isEmbed } from '../page/frame.tsx';
import { readPageData } from '../page/page-data.ts';
import { LanguageProvider } from '../page/texts.tsx';
import { Unavailable } from '../page/unavailable.tsx';
import { RegistrationPage } from './registration-page.tsx';

type PageData = WebinarPage | { refusal: { code: string } };

const element = document.getElementById('root');
if (!element) throw new Error('registration.html has no #root');
const data = readPageData() as PageData;
if (!('refusal' in data)) {
  noteNavigation(data.serverNow);
  applyBrand(data.branding.color);
}
if (isEmbed) reportHeight(element);

createRoot(element).render(
  <StrictMode>
    <LanguageProvider locale={'refusal' in data ? navigator.language : data.locale}>
      {'refusal' in data ? (
        <Frame>
          <Unavailable isMissing={data.refusal.code === 'not_found'} />
        </Frame>
      ) : (
        <RegistrationPage first={data} />
      )}
    </LanguageProvider>
  </StrictMode>,
);

/** Says the height of the page to the page that frames it, at each change. The snippet of the dashboard listens for it. */
function reportHeight(element: HTMLElement): void {
  const report = (): void =>
    window.parent.postMessage({ type: 'webinar-registration-height', height: element.scrollHeight }, '*');
  new ResizeObserver(report).observe(element);
}
