// Formatters of Intl. Each is made once: a page shows hundreds of times and counts, and a formatter takes longer to make than to use.

const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

/** For times, in British English, and in the reader's time zone unless the options name one. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat('en-GB', options);
  dateFormats.set(key, format);
  return format;
}

/** For counts, shares and money, in American English. */
export function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const format = numberFormats.get(key) ?? new Intl.NumberFormat('en-US', options);
  numberFormats.set(key, format);
  return format;
}
