const common =
  'en en-GB en-US de de-AT de-CH fr fr-CA es es-MX pt pt-BR it nl pl cs sk hu ro bg hr sl sr el da sv nb fi et lv lt uk ru tr ar he hi bn th vi id ms ja ko zh-CN zh-TW';

/** Languages to choose from, with the stored one. */
export function languageOptions(stored: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });
  return [...new Set([stored, ...common.split(' ')])]
    .map((value) => ({ value, label: `${nameOf(names, value)} (${value})` }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
}

function nameOf(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
