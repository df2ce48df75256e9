import { z } from 'zod';
import {
  defineEventType,
  onceInSession,
  watched,
  withoutParams,
  type ComparedEvent,
} from './define-event-type.ts';

const markData = z.looseObject({
  ...watched,
  in_transition: z.boolean().optional().describe('True if the mark was reached between two segments.'),
});

/** True if an event reached this number of minutes or percent. */
const isMark = (wanted: number, { event }: { event: ComparedEvent }): boolean => wanted === event.mark;

export const watchEvents = {
  watched_minutes: defineEventType({
    type: 'watched_minutes',
    title: 'Watched minutes',
    group: 'Watching',
    when: 'Watch time reaches some minutes',
    sentence: 'an attendee has watched {minutes} min',
    description: 'The watch time reaches a number of minutes. Each second of the video counts once.',
    data: markData,
    sample: { watchedSeconds: 600, completionPercent: 16 },
    params: z
      .strictObject({ minutes: z.int().min(1).max(1440).describe('Minutes of watch time.') })
      .meta({ id: 'WatchedMinutesParams' }),
    controls: { minutes: { label: 'Minutes', control: 'number' } },
    matches: { minutes: isMark },
    subject: onceInSession,
  }),

  watched_percent: defineEventType({
    type: 'watched_percent',
    title: 'Watched percent',
    group: 'Watching',
    when: 'Watch completion reaches a percentage',
    sentence: 'an attendee reaches {percent} % of the video',
    description: 'The watched part of the video reaches a percentage.',
    data: markData,
    sample: { watchedSeconds: 1800, completionPercent: 50, in_transition: true },
    params: z
      .strictObject({ percent: z.int().min(1).max(100).describe('Percent of the video.') })
      .meta({ id: 'WatchedPercentParams' }),
    controls: { percent: { label: 'Percent', control: 'number' } },
    matches: { percent: isMark },
    subject: onceInSession,
  }),

  video_complete: defineEventType({
    type: 'video_complete',
    title: 'Completed the video',
    group: 'Watching',
    when: 'An attendee completes the video',
    sentence: 'an attendee completes the video',
    description: 'The attendee completes the video.',
    data: z.looseObject(watched),
    sample: { watchedSeconds: 3420, completionPercent: 95 },
    ...withoutParams(),
    subject: onceInSession,
  }),
};
