// The path of one viewer through the segments of an adaptive webinar. The segments follow each other in one timeline, in the
// order in which they were first entered, so that one bitset contains the watched seconds of all of them.

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
  /** Duration of all entered segments and of those ahead on the default branches. It counts as 100 percent. */
  totalSeconds: number;
}
