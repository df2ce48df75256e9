// Spans of time that lists and charts offer, counted back from now.

export const timeRanges = {
  last_hour: { text: 'Last hour', hours: 1 },
  last_24_hours: { text: 'Last 24 hours', hours: 24 },
  last_7_days: { text: 'Last 7 days', hours: 7 * 24 },
  last_30_days: { text: 'Last 30 days', hours: 30 * 24 },
  last_90_days: { text: 'Last 90 days', hours: 90 * 24 },
};

export type TimeRange = keyof typeof timeRanges;

export const timeRangeNames = Object.keys(timeRanges) as [TimeRange, ...TimeRange[]];

/** Bars of hours and days follow the reader's time zone. */
export const utcOffsetMinutes = Math.round(-new Date().getTimezoneOffset() / 15) * 15;
