import { videoSeconds, type Options } from './options.ts';

/** The times of interactions, in seconds of the video, which are seconds since its start. */
export interface Programme {
  seconds: number;
  /** Seconds of real time for a second of the webinar. Actions of attendees take less time when the webinar runs faster. */
  pace: number;
  pollAt: number;
  offerAt: number;
  ctaAt: number;
  handoutAt: number;
  /** The mark of the rule on watched minutes: about half of the video. */
  minutesMark: number;
}

export const percentMarks = [25, 50, 75] as const;
export const completionPercent = 95;

/** The keyword of the chat rule. */
export const keyword = 'price';

export const pollOptions = [
  { id: 'now', label: 'This month' },
  { id: 'soon', label: 'This year' },
  { id: 'later', label: 'Later' },
] as const;

export function createProgramme(options: Pick<Options, 'minutes' | 'speed'>): Programme {
  const seconds = videoSeconds(options);
  return {
    seconds,
    pace: seconds / (options.minutes * 60),
    pollAt: Math.round(seconds * 0.3),
    offerAt: Math.round(seconds * 0.55),
    ctaAt: Math.round(seconds * 0.75),
    handoutAt: Math.round(seconds * 0.4),
    minutesMark: Math.max(1, Math.round(seconds / 120)),
  };
}
