import '../theme/theme.css';
import '../theme/font.css';
import type { WebinarPage } from '@service/attendees';
import { IconError404 } from '@tabler/icons-react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyBrand } from '../page/brand.ts';
import { noteNavigation } from '../page/clock.ts';
import { Frame, isEmbed } from '../page/frame.tsx';
import { MessageCard } from '../page/message-card.tsx';
import { readPageData } from '../page/page-data.ts';
import { LanguageProvider, useTexts } from '../page/texts.tsx';
import { RegistrationPage } from './registration-page.tsx';
import { reportHeight } from './report-height.ts';

type PageData = WebinarPage | { refusal: { code: string } };

const element = document.getElementById('root');
if (!element) throw new Error('registration.html has no #root');
const data = readPageData<PageData>();
const page = 'refusal' in data ? undefined : data;
if (page) {
  noteNavigation(page.serverNow);
  applyBrand(page.branding.color);
}
if (isEmbed) reportHeight(element);

createRoot(element).render(
  <StrictMode>
    <LanguageProvider locale={page?.locale ?? navigator.language}>
      {page ? <RegistrationPage first={page} /> : <NotFound />}
    </LanguageProvider>
  </StrictMode>,
);

function NotFound() {
  const { problems } = useTexts();
  return (
    <Frame>
      <MessageCard
        icon={<IconError404 size={30} />}
        title={problems.notFoundTitle}
        text={problems.notFoundText}
      />
    </Frame>
  );
}
