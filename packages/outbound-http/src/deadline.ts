export interface Deadline {
  readonly durationMs: number;
  /** Why no more may be sent or read: the time is up, or the caller gave up. */
  readonly ended: 'deadline' | 'aborted' | undefined;
  /** Called once at the end; whoever is at work puts his own way of stopping here. */
  onEnd: (() => void) | undefined;
  /** Must be called when the work is done. */
  stop(): void;
}

/** Starts one limit over a whole request with all its hops. The signal's listener exists only while it runs. */
export function startDeadline(durationMs: number, signal?: AbortSignal): Deadline {
  const end = (why: 'deadline' | 'aborted'): void => {
    state.ended ??= why;
    state.onEnd?.();
  };
  const timer = setTimeout(end, durationMs, 'deadline');
  const onAbort = (): void => end('aborted');
  const state = {
    durationMs,
    ended: undefined as Deadline['ended'],
    onEnd: undefined as Deadline['onEnd'],
    stop: (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return state;
}
