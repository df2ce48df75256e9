// The page of `/room/preview`: the dashboard shows it in a frame beside a form and sends it what is typed. It calls nothing.
import '../theme/theme.css';
import '../theme/font.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyBrand } from '../page/brand.ts';
import { LanguageProvider } from '../page/texts.tsx';
import { PreviewPage } from './preview-page.tsx';
import { readPreview } from './preview.ts';

const element = document.getElementById('root');
if (!element) throw new Error('preview.html has no #root');
const root = createRoot(element);

addEventListener('message', (event) => {
  const preview = readPreview(event, window);
  if (!preview) return;
  applyBrand(preview.branding.color);
  applyScheme(preview.scheme);
  root.render(
    <StrictMode>
      <LanguageProvider locale={preview.locale}>
        <PreviewPage preview={preview} />
      </LanguageProvider>
    </StrictMode>,
  );
});

// A preview is only looked at and tried: no link leads away from it.
addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('a')) event.preventDefault();
});

const darkRules = Array.from(document.styleSheets)
  .flatMap(({ cssRules }) => Array.from(cssRules))
  .filter((rule) => rule instanceof CSSMediaRule)
  .filter(({ conditionText }) => conditionText === '(prefers-color-scheme: dark)');

/** Shows a colour scheme that may not be that of the system. */
function applyScheme(scheme: 'light' | 'dark'): void {
  document.documentElement.style.colorScheme = scheme;
  for (const { media } of darkRules) media.mediaText = scheme === 'dark' ? 'all' : 'not all';
}
