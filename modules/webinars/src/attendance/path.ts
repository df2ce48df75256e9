// The way of one viewer through the segments of an adaptive webinar. Their seconds lie behind each other in one timeline, in the
// order in which they were first entered, so that one bitset holds what was watched of them all.

export interface PathSegment {
  segmentId: string;
  /** Where it begins in the viewer's timeline. */
  offsetSeconds: number;
  durationSeconds: number;
}

export interface Path {
  /** Each segment once, in the order in which they were first entered. */
  segments: readonly PathSegment[];
  currentId: string;
  /** Between the end of the current segment and the next one. */
  inTransition: boolean;
  /** Segments entered after the first one; bounded. */
  moves: number;
  /** Of all segments entered, and of those that the default branches lead to from here: what 100 percent is. */
  totalSeconds: number;
}
