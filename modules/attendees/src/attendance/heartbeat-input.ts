import { id } from '@service/trpc';
import { z } from 'zod';

/** A day, like the longest webinar. */
const secondsMax = 86_400;
const intervalsMax = 100;

const second = z.number().min(0).max(secondsMax);

export const HeartbeatInput = z.object({
  visitId: id('visit'),
  seq: z.number().int().min(1).max(1_000_000_000).describe('1, 2, 3 and so on in a visit; counts once.'),
  playheadSeconds: second.describe('Where the player is.'),
  intervals: z
    .array(z.tuple([second, second]))
    .max(intervalsMax)
    .describe(
      'Played since the previous heartbeat, as [from, to] in seconds of the video. A heartbeat earns at most the time since the previous one, up to 90 seconds.',
    ),
  state: z.enum(['playing', 'paused', 'ended']),
  visible: z.boolean().default(true),
  segmentId: id('segment')
    .optional()
    .describe('Of an adaptive webinar, the segment that was played; left out: the one the viewer is in.'),
});

export type HeartbeatInput = z.output<typeof HeartbeatInput>;
