// When the session began and ended, on the clock of performance.now().

export type SessionClock = ReturnType<typeof createSessionClock>;

export function createSessionClock(seconds: number) {
  let startedAtMs: number | undefined;
  let endingAtMs = Number.POSITIVE_INFINITY;
  const waiting: (() => void)[] = [];

  return {
    /** The position of the video in seconds, with milliseconds. 0 before the start, and never beyond its end. */
    positionAt: (atMs: number): number =>
      startedAtMs === undefined
        ? 0
        : Math.round(Math.min(Math.max(atMs - startedAtMs, 0), seconds * 1000)) / 1000,
    /** The time of a second of the video. Only after the start. */
    timeOf(second: number): number {
      if (startedAtMs === undefined) throw new Error('The session has not started.');
      return startedAtMs + second * 1000;
    },
    /** Runs work when the session starts, or at once after the start. */
    whenStarted(work: () => void): void {
      if (startedAtMs === undefined) waiting.push(work);
      else work();
    },
    start(atMs: number): void {
      startedAtMs = atMs;
      for (const work of waiting.splice(0)) work();
    },
    /** After this the service may refuse actions of attendees. */
    end(atMs: number): void {
      endingAtMs = atMs;
    },
    endingAtMs: (): number => endingAtMs,
    hasStarted: (): boolean => startedAtMs !== undefined,
  };
}
