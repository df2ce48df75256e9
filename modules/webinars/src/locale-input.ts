import { z } from 'zod';

/** A language tag (BCP 47, https://www.rfc-editor.org/info/bcp47). */
export const locale = z.string().max(35).refine(isLocale, 'Not a BCP 47 language tag such as en or pt-BR.');

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
