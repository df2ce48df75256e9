import { createContext, use, type ReactNode } from 'react';
import { de } from '../texts/de.ts';
import { en } from '../texts/en.ts';
import { varietyOf } from './time-text.ts';

export type Texts = typeof en;

interface Language {
  texts: Texts;
  /** For dates and times. */
  language: string;
}

const LanguageContext = createContext<Language>({ texts: en, language: 'en' });

/** Gives the page below its texts, in the language of the webinar. */
export function LanguageProvider({ locale, children }: { locale: string; children: ReactNode }) {
  const texts = locale.split('-')[0] === 'de' ? de : en;
  const language = varietyOf(texts === de ? 'de' : 'en', navigator.languages);
  return <LanguageContext value={{ texts, language }}>{children}</LanguageContext>;
}

export const useTexts = (): Texts => use(LanguageContext).texts;

/** The language tag for dates and times. */
export const useLanguage = (): string => use(LanguageContext).language;
