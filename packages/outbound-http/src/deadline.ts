export interface Stoppable {
  stop(): void;
}

export interface Deadline {
  readonly durationMs: number;
  /** The reason for the end: the deadline has passed, or the caller has aborted. */
  readonly ended: 'deadline' | 'aborted' | undefined;
  /** Stopped at the end. */
  atWork: Stoppable | undefined;
  /** Must be called at the end of the request. */
  stop(): void;
}

/** Starts the deadline of a request with all its hops. It listens to the signal only until it is stopped. */
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
