// The path of one viewer through the segments of an adaptive webinar. The segments lie one behind the other in one timeline,
// in the order in which they were first entered, so that one bitset covers the watched seconds of all of them.
import { z } from 'zod';

export interface PathSegment {
  segmentId: string;
  /** Start in the viewer's timeline. */
  offsetSeconds: number;
  durationSeconds: number;
}

export interface Path {
  /** Each segment once, in the order in which they were first entered. */
  segments: readonly PathSegment[];
  currentId: string;
  /** True between the end of the current segment and the next one. */
  inTransition: boolean;
  /** Number of moves to a segment. Bounded. */
  moves: number;
  /** 100 percent: all segments entered, and those that the default branches lead to from here. */
  totalSeconds: number;
}

const Choice = z.object({
  branchId: z.uuid(),
  label: z.string(),
  promptText: z.string().nullable(),
  promptAtSeconds: z.number().nullable(),
  timeoutSeconds: z.number(),
});

/** The part of a path that a page shows: the viewer's segment and the branches to choose from. */
export const PathState = z.object({
  segmentId: z.uuid(),
  title: z.string(),
  videoUrl: z.string().nullable(),
  durationSeconds: z.number(),
  isTerminal: z.boolean(),
  inTransition: z.boolean().describe('True if the segment has ended and no branch is taken yet.'),
  choices: z.array(Choice),
  defaultBranchId: z.uuid().nullable().describe('The branch to take if the viewer chooses nothing in time.'),
});

export type PathState = z.output<typeof PathState>;
