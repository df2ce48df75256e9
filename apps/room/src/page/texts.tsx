import { createContext, use, useMemo, type ReactNode } from 'react';
import { de } from '../texts/de.ts';
import { en, type Texts } from '../texts/en.ts';
import { varietyOf } from './time-text.ts';

interface Language {
  texts: Texts;
  /** For dates and times. */
  language: string;
}

const LanguageContext = createContext<Language>({ texts: en, language: 'en' });

/** Gives the page below its texts, in the language of the webinar. */
export function LanguageProvider({ locale, children }: { locale: string; children: ReactNode }) {
  const context = useMemo(() => {
    const isGerman = locale.split('-')[0] === 'de';
    const language = varietyOf(isGerman ? 'de' : 'en', navigator.languages);
    return { texts: isGerman ? de : en, language };
  }, [locale]);
  return <LanguageContext value={context}>{children}</LanguageContext>;
}

export const useTexts = (): Texts => use(LanguageContext).texts;

/** The language tag for dates and times. */
export const useLanguage = (): string => use(LanguageContext).language;
