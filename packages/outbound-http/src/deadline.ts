export interface Stoppable {
  stop(): void;
}

export interface Deadline {
  readonly durationMs: number;
  /** Why no more may be sent or read: the time is up, or the caller gave up. */
  readonly ended: 'deadline' | 'aborted' | undefined;
  /** Stopped at the end. */
  atWork: Stoppable | undefined;
  /** Must be called when the work is done. */
  stop(): void;
}

/** Starts one limit over a whole request with all its hops. The signal's listener exists only while it runs. */
export function startDeadline(durationMs: number, signal?: AbortSignal): Deadline {
  const deadline = new RunningDeadline(durationMs);
  if (signal !== undefined) deadline.heed(signal);
  return deadline;
}

class RunningDeadline implements Deadline {
  readonly durationMs: number;
  ended: Deadline['ended'] = undefined;
  atWork: Stoppable | undefined = undefined;
  readonly #timer: NodeJS.Timeout;
  #ignore: (() => void) | undefined = undefined;

  constructor(durationMs: number) {
    this.durationMs = durationMs;
    this.#timer = setTimeout(endInTime, durationMs, this);
  }

  heed(signal: AbortSignal): void {
    const onAbort = (): void => this.end('aborted');
    signal.addEventListener('abort', onAbort, { once: true });
    this.#ignore = () => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  }

  end(why: 'deadline' | 'aborted'): void {
    this.ended ??= why;
    this.atWork?.stop();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#ignore?.();
  }
}

function endInTime(deadline: RunningDeadline): void {
  deadline.end('deadline');
}
