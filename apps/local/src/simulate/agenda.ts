// The scheduled work of all attendees: a binary heap, and one timer for the next piece of work.

export type Agenda = ReturnType<typeof createAgenda>;

interface Entry {
  atMs: number;
  /** Keeps the order of work that is scheduled for the same time. */
  order: number;
  work: () => void;
}

/** Limit of work in one turn of the event loop, so that answers are read in between. */
const turnMax = 200;
const lagWindowMs = 1000;

export function createAgenda() {
  const heap = createHeap();
  let timer: NodeJS.Timeout | undefined;
  let timerAtMs = Number.POSITIVE_INFINITY;
  let order = 0;
  let isClosed = false;
  let lag = { sinceMs: 0, ms: 0, beforeMs: 0 };

  const noteLag = (nowMs: number, lateMs: number): void => {
    if (nowMs - lag.sinceMs > lagWindowMs) lag = { sinceMs: nowMs, ms: 0, beforeMs: lag.ms };
    lag.ms = Math.max(lag.ms, lateMs);
  };

  const wake = (): void => {
    timerAtMs = Number.POSITIVE_INFINITY;
    for (let done = 0; done < turnMax; done += 1) {
      const next = heap.peek();
      const nowMs = performance.now();
      if (!next || next.atMs > nowMs) break;
      heap.pop();
      noteLag(nowMs, nowMs - next.atMs);
      next.work();
    }
    arm();
  };

  const arm = (): void => {
    const next = heap.peek();
    if (!next || next.atMs >= timerAtMs) return;
    clearTimeout(timer);
    timerAtMs = next.atMs;
    timer = setTimeout(wake, Math.max(0, next.atMs - performance.now()));
  };

  return {
    /** Schedules work at a time of `performance.now()`. Work in the past runs at once. It must not throw. */
    at(atMs: number, work: () => void): void {
      if (isClosed) return;
      order += 1;
      heap.push({ atMs, order, work });
      arm();
    },
    /** Drops scheduled work and accepts no more. */
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      heap.clear();
    },
    /** The largest delay of work in the last second. A large one means that this machine cannot generate the load. */
    lagMs: (): number => Math.max(lag.ms, lag.beforeMs),
  };
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);

function createHeap() {
  const entries: Entry[] = [];

  const swap = (one: number, other: number): void => {
    [entries[one], entries[other]] = [entries[other]!, entries[one]!];
  };

  const rise = (index: number): void => {
    for (let child = index; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!isBefore(entries[child]!, entries[parent]!)) return;
      swap(child, parent);
      child = parent;
    }
  };

  const sink = (index: number): void => {
    for (let parent = index; ;) {
      const [left, right] = [parent * 2 + 1, parent * 2 + 2];
      let first = parent;
      if (left < entries.length && isBefore(entries[left]!, entries[first]!)) first = left;
      if (right < entries.length && isBefore(entries[right]!, entries[first]!)) first = right;
      if (first === parent) return;
      swap(parent, first);
      parent = first;
    }
  };

  return {
    peek: (): Entry | undefined => entries[0],
    push(entry: Entry): void {
      entries.push(entry);
      rise(entries.length - 1);
    },
    pop(): void {
      const last = entries.pop();
      if (!last || entries.length === 0) return;
      entries[0] = last;
      sink(0);
    },
    clear(): void {
      entries.length = 0;
    },
  };
}
