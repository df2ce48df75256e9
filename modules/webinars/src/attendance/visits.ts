/** One page that is open, or was. */
export interface Visit {
  id: string;
  /** Milliseconds since 1970, like every time in it. */
  startedAtMs: number;
  /** The highest number of a heartbeat that counted; 0 before the first. */
  seqMax: number;
  /** Which of the 32 numbers up to seqMax have counted: bit 0 is seqMax itself. */
  seqSeen: number;
  /** Seconds of the video that only this visit has added. */
  creditedSeconds: number;
}
