// When the session began and ended, on the clock of performance.now().

export interface SessionClock {
  /** The position of the video in seconds, with milliseconds. 0 before the start, and never beyond its end. */
  positionAt(atMs: number): number;
  /** The time of a second of the video. Only after the start. */
  timeOf(seconds: number): number;
  /** Runs work when the session starts, or at once after the start. */
  whenStarted(work: () => void): void;
  start(atMs: number): void;
  /** After this the service may refuse actions of attendees. */
  end(atMs: number): void;
  endingAtMs(): number;
  hasStarted(): boolean;
}

export function createSessionClock(seconds: number): SessionClock {
  let startedAtMs: number | undefined;
  let endingAtMs = Number.POSITIVE_INFINITY;
  const waiting: (() => void)[] = [];

  return {
    positionAt: (atMs) =>
      startedAtMs === undefined
        ? 0
        : Math.round(Math.min(Math.max(atMs - startedAtMs, 0), seconds * 1000)) / 1000,
    timeOf(second) {
      if (startedAtMs === undefined) throw new Error('The session has not started.');
      return startedAtMs + second * 1000;
    },
    whenStarted(work) {
      if (startedAtMs === undefined) waiting.push(work);
      else work();
    },
    start(atMs) {
      startedAtMs = atMs;
      for (const work of waiting.splice(0)) work();
    },
    end(atMs) {
      endingAtMs = atMs;
    },
    endingAtMs: () => endingAtMs,
    hasStarted: () => startedAtMs !== undefined,
  };
}
