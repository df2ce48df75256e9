import { id } from '@service/trpc';
import { z } from 'zod';

/** One day, as for the longest webinar. */
const secondsMax = 86_400;
const intervalsMax = 100;

const second = z.number().min(0).max(secondsMax);

export const HeartbeatInput = z.object({
  visitId: id('visit'),
  seq: z
    .number()
    .int()
    .min(1)
    .max(1_000_000_000)
    .describe('Number of the heartbeat in its visit: 1, 2, 3 and so on. Each number counts once.'),
  playheadSeconds: second.describe('Position of the player.'),
  intervals: z
    .array(z.tuple([second, second]))
    .max(intervalsMax)
    .describe(
      'Intervals played since the previous heartbeat, as [from, to] in seconds of the video. A heartbeat earns at most the time since the previous one, up to 90 seconds.',
    ),
  state: z.enum(['playing', 'paused', 'ended']),
  visible: z.boolean().default(true),
  segmentId: id('segment')
    .optional()
    .describe(
      'Only in an adaptive webinar: the segment that was played. Default: the current segment of the viewer.',
    ),
  interactionsVersion: z
    .string()
    .max(100)
    .optional()
    .describe('The version of the list that the page has. Without it, the answer never has a list.'),
});

export type HeartbeatInput = z.output<typeof HeartbeatInput>;
